if exists('b:did_ftplugin') | finish | endif
let b:did_ftplugin = 1
setlocal comments=:-- commentstring=--\ %s
setlocal iskeyword=33,35-39,42-43,45-58,60-90,92,94-122,124,126
setlocal shiftwidth=2 expandtab
let b:undo_ftplugin = 'setlocal comments< commentstring< iskeyword< shiftwidth< expandtab<'
