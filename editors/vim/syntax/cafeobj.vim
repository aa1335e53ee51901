" Syntax of CafeOBJ
if exists('b:current_syntax') | finish | endif
syntax iskeyword 33,35-39,42-43,45-58,60-90,92,94-122,124,126

syntax keyword cafeDeclaration mod mod! mod* module module! module* view make op ops bop bops pred preds var vars let attr
syntax keyword cafeImport pr protecting ex extending inc including us using in input load require provide
syntax keyword cafeAxiom eq ceq cq beq bceq trans ctrans rule crule ax goal
syntax keyword cafeCommand open close select red reduce bred exec execute parse show describe set start apply choose quit eof
syntax keyword cafeConditional if then else fi
syntax keyword cafeBoolean true false
syntax keyword cafeOperator and or not xor implies iff = == =/= => -> =*=
syntax keyword cafeAttribute assoc comm idem id: idr: constr ctor prec: strat: l-assoc r-assoc memo
syntax match cafeNumber /\<-\=\d\+\>/
syntax match cafeTactic /\(^\|\s\)\@<=:[a-z][A-Za-z-]*/
syntax match cafeName /\(\(^\|\s\)\(mod\|module\)[!*]\=\s\+\|\<open\s\+\|\<view\s\+\)\@<=[^ \t()\[\]{},;.]\+/
syntax region cafeString start=/"/ skip=/\\./ end=/"/ oneline
syntax match cafeComment /\(^\|\s\)\@<=\(--\|\*\*\)\([ \t>*-].*\)\=$/
syntax match cafeHint /\(^\|\s\)\@<=\(--\|\*\*\)>\=\s*@.*$/
syntax region cafeComment start=/#|/ end=/|#/

highlight default link cafeDeclaration Structure
highlight default link cafeImport Include
highlight default link cafeAxiom Statement
highlight default link cafeCommand Statement
highlight default link cafeTactic Statement
highlight default link cafeConditional Conditional
highlight default link cafeBoolean Boolean
highlight default link cafeOperator Operator
highlight default link cafeAttribute StorageClass
highlight default link cafeNumber Number
highlight default link cafeName Type
highlight default link cafeString String
highlight default link cafeComment Comment
highlight default link cafeHint SpecialComment
let b:current_syntax = 'cafeobj'
