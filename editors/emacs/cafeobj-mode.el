;;; cafeobj-mode.el --- Major mode for CafeOBJ, with otsrw  -*- lexical-binding: t; -*-

;;; Commentary:
;; Colours and comments for CafeOBJ.  With eglot:
;;   (add-to-list 'eglot-server-programs '(cafeobj-mode . ("otsrw" "lsp")))

;;; Code:

(defconst cafeobj-mode-declarations
  '("mod" "mod!" "mod*" "module" "module!" "module*" "view" "make" "op" "ops" "bop" "bops" "pred" "preds"
    "var" "vars" "let" "attr" "pr" "protecting" "ex" "extending" "inc" "including" "us" "using"))

(defconst cafeobj-mode-commands
  '("open" "close" "select" "red" "reduce" "bred" "exec" "parse" "show" "describe" "set" "in" "input" "load" "require"
    "eq" "ceq" "cq" "beq" "bceq" "trans" "ctrans" "if" "then" "else" "fi" "start" "apply" "choose" "quit" "eof"))

(defun cafeobj-mode-words (words)
  "A regular expression for WORDS that stand alone."
  (concat "\\(?:^\\|[][(){},; \t]\\)\\(" (regexp-opt words) "\\)\\(?:$\\|[][(){},; \t]\\)"))

(defconst cafeobj-mode-font-lock
  `(("\\(?:^\\|[ \t]\\)\\(\\(?:--\\|\\*\\*\\)\\(?:[ \t>*-].*\\)?\\)$" 1 font-lock-comment-face t)
    ("\\_<\\(?:mod\\(?:ule\\)?[!*]?\\|view\\|open\\|select\\)[ \t]+\\([^][(){},; \t\n.]+\\)" 1 font-lock-type-face)
    ("\\_<b?ops?[ \t]+\\([^: \t\n]+\\)" 1 font-lock-function-name-face)
    (,(cafeobj-mode-words cafeobj-mode-declarations) 1 font-lock-keyword-face)
    (,(cafeobj-mode-words cafeobj-mode-commands) 1 font-lock-keyword-face)
    (,(cafeobj-mode-words '("true" "false")) 1 font-lock-constant-face)
    (,(cafeobj-mode-words '("and" "or" "not" "xor" "implies" "iff")) 1 font-lock-builtin-face)))

(defvar cafeobj-mode-syntax-table
  (let ((table (make-syntax-table)))
    (dolist (character '(?- ?! ?* ?\\ ?_ ?' ?< ?> ?= ?+ ?? ?/))
      (modify-syntax-entry character "_" table))
    (modify-syntax-entry ?# "_ 14n" table)
    (modify-syntax-entry ?| "_ 23n" table)
    table))

;;;###autoload
(define-derived-mode cafeobj-mode prog-mode "CafeOBJ"
  "Major mode for specifications and proof scores in CafeOBJ."
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "\\(?:--\\|\\*\\*\\)>?[ \t]*")
  (setq-local font-lock-defaults '(cafeobj-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cafe\\(?:obj\\)?\\'" . cafeobj-mode))

(provide 'cafeobj-mode)
;;; cafeobj-mode.el ends here
