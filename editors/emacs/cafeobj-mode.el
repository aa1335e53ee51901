;;; cafeobj-mode.el --- Major mode for CafeOBJ, with otsrw  -*- lexical-binding: t; -*-

;;; Commentary:
;; Colours, comments and indentation for CafeOBJ.  With eglot:
;;   (add-to-list 'eglot-server-programs '(cafeobj-mode . ("otsrw" "lsp")))

;;; Code:

(defconst cafeobj-mode-declarations
  '("mod" "mod!" "mod*" "module" "module!" "module*" "view" "make" "op" "ops" "bop" "bops" "pred" "preds"
    "var" "vars" "let" "attr" "pr" "protecting" "ex" "extending" "inc" "including" "us" "using"))

(defconst cafeobj-mode-commands
  '("open" "close" "select" "red" "reduce" "bred" "exec" "parse" "show" "describe" "set" "in" "input" "load" "require"
    "eq" "ceq" "cq" "beq" "bceq" "trans" "ctrans" "if" "then" "else" "fi" "start" "apply" "choose" "quit" "eof"))

(defconst cafeobj-mode-axioms '("eq" "ceq" "cq" "beq" "bceq" "trans" "ctrans" "red" "reduce" "bred" "exec"))

(defun cafeobj-mode-before-colon ()
  "The place of the colon that ends the names of a declaration."
  (save-excursion
    (if (re-search-forward "[ \t]:[ \t]" (line-end-position) t) (match-beginning 0) (line-end-position))))

(defconst cafeobj-mode-font-lock
  `(("\\_<\\(?:mod\\(?:ule\\)?[!*]?\\|view\\|open\\|select\\)[ \t]+\\([^][(){},; \t\n.]+\\)" 1 font-lock-type-face)
    ("\\_<\\(?:b?ops?\\|preds?\\)\\_>"
     ("[^ \t\n]+" (cafeobj-mode-before-colon) nil (0 font-lock-function-name-face)))
    ("\\_<:[a-z][A-Za-z-]*" . font-lock-keyword-face)
    (,(regexp-opt cafeobj-mode-declarations 'symbols) . font-lock-keyword-face)
    (,(regexp-opt cafeobj-mode-commands 'symbols) . font-lock-keyword-face)
    (,(regexp-opt '("true" "false") 'symbols) . font-lock-constant-face)
    (,(regexp-opt '("and" "or" "not" "xor" "implies" "iff") 'symbols) . font-lock-builtin-face)))

(defconst cafeobj-mode-propertize
  (syntax-propertize-rules ("\\(?:^\\|[ \t]\\)\\(?:\\(-\\)-\\|\\(\\*\\)\\*\\)\\(?:[ \t>*-]\\|$\\)" (1 "<") (2 "<")))
  "A comment begins with two dashes or stars that stand alone.")

(defvar cafeobj-mode-syntax-table
  (let ((table (make-syntax-table)))
    (dolist (character '(?- ?! ?* ?\\ ?_ ?' ?< ?> ?= ?+ ?? ?/ ?: ?& ?% ?$ ?@ ?~ ?^))
      (modify-syntax-entry character "_" table))
    (modify-syntax-entry ?# "_ 14bn" table)
    (modify-syntax-entry ?| "_ 23bn" table)
    (modify-syntax-entry ?\n ">" table)
    table))

(defun cafeobj-mode-in-passage ()
  "Whether the line stands between an open and its close."
  (save-excursion
    (and (re-search-backward "^[ \t]*\\(open\\|close\\)\\_>" nil t) (equal (match-string 1) "open"))))

(defun cafeobj-mode-continued ()
  "Whether the line goes on with an equation or a reduction that began above it."
  (save-excursion
    (let ((start (concat "^[ \t]*" (regexp-opt cafeobj-mode-axioms 'symbols))) (here (line-beginning-position)))
      (and (re-search-backward (concat start "\\|[ \t]\\.[ \t]*$\\|^[ \t]*$\\|[{}]") nil t)
           (looking-at start)
           (not (save-excursion (re-search-forward "[ \t]\\.\\(?:[ \t]\\|$\\)" here t)))))))

(defun cafeobj-mode-braces ()
  "How many braces are open where this line begins."
  (let ((places (nth 9 (syntax-ppss (line-beginning-position)))))
    (apply #'+ (mapcar (lambda (place) (if (eq (char-after place) ?{) 1 0)) places))))

(defun cafeobj-mode-in-parentheses ()
  "Whether this line begins inside of parentheses or brackets."
  (let ((innermost (nth 1 (syntax-ppss (line-beginning-position)))))
    (and innermost (not (eq (char-after innermost) ?{)))))

(defun cafeobj-mode-indentation ()
  "The column at which the text of this line begins.
A line that goes on with an equation keeps its column if it is deep enough."
  (save-excursion
    (back-to-indentation)
    (let ((depth (cafeobj-mode-braces)))
      (when (looking-at "[]})]") (setq depth (1- depth)))
      (when (and (cafeobj-mode-in-passage) (not (looking-at "close\\_>"))) (setq depth (1+ depth)))
      (let ((column (* 2 (max 0 depth))))
        (if (and (or (cafeobj-mode-continued) (cafeobj-mode-in-parentheses)) (not (looking-at "[]})]")))
            (max (1+ column) (current-indentation))
          column)))))

(defun cafeobj-mode-indent-line ()
  "Indent this line by the braces and passages around it."
  (let ((after (- (current-column) (current-indentation))))
    (indent-line-to (cafeobj-mode-indentation))
    (when (> after 0) (move-to-column (+ (current-indentation) after)))))

;;;###autoload
(define-derived-mode cafeobj-mode prog-mode "CafeOBJ"
  "Major mode for specifications and proof scores in CafeOBJ."
  (setq-local comment-start "-- ")
  (setq-local comment-start-skip "\\(?:--\\|\\*\\*\\)>?[ \t]*")
  (setq-local comment-end "")
  (setq-local syntax-propertize-function cafeobj-mode-propertize)
  (setq-local parse-sexp-lookup-properties t)
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'cafeobj-mode-indent-line)
  (setq-local font-lock-defaults '(cafeobj-mode-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.cafe\\(?:obj\\)?\\'" . cafeobj-mode))

(provide 'cafeobj-mode)
;;; cafeobj-mode.el ends here
