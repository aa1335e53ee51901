autocmd BufNewFile,BufRead *.cafe,*.cafeobj setfiletype cafeobj
