// Checks of eslint on the page and on its tests; prettier lays the code out, TypeScript checks the types.

import js from "@eslint/js";
import globals from "globals";

const strict = {
  eqeqeq: "error",
  "no-unused-vars": ["error", { ignoreRestSiblings: true }],
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "error",
  "no-else-return": "error",
  "object-shorthand": "error",
  "prefer-template": "error",
  "no-implicit-coercion": "error",
  "no-unused-expressions": ["error", { allowShortCircuit: true }],
  "no-param-reassign": "error",
  "no-nested-ternary": "off",
  "consistent-return": "error",
  "default-case-last": "error",
  "max-lines": ["error", { max: 250 }],
  "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
  complexity: ["error", 15],
  "max-depth": ["error", 3],
};

export default [
  { ignores: ["node_modules/", "tock_web/static/vendor/"] },
  js.configs.recommended,
  { linterOptions: { reportUnusedDisableDirectives: "error" }, rules: strict },
  {
    files: ["tock_web/static/js/**/*.js"],
    languageOptions: { globals: globals.browser },
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "Program > VariableDeclaration[kind='let']",
          message: "What changes belongs into a state with a reducer (core/store.js).",
        },
        {
          selector: "ExportDefaultDeclaration, ExportAllDeclaration",
          message: "tock_web/bundle.py does not know this form.",
        },
      ],
      "no-console": "error",
    },
  },
  { files: ["tests/**/*.mjs", "*.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/**/*.mjs"], rules: { "max-lines-per-function": "off" } },
];
