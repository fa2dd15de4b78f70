/** What `make check` asks of the page's JavaScript beside its types, which tsc checks. Core rules only: no plugin to install. */

export default [
  {
    files: ["frontend/**/*.js", "tests/js/**/*.js"],
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "off", // tsc knows better
      eqeqeq: "error",
      "no-await-in-loop": "off",
      "no-cond-assign": "error",
      "no-constant-condition": "error",
      "no-control-regex": "off", // what terminals say is made of control characters
      "no-dupe-else-if": "error",
      "no-duplicate-imports": "error",
      "no-empty": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-loss-of-precision": "error",
      "no-new-func": "error",
      "no-param-reassign": "error",
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property,
          message: "Use `el`, or core/html.js.",
        })),
      ],
      "no-restricted-globals": ["error", { name: "fetch", message: "Use `request` of core/session.js." }],
      "no-self-compare": "error",
      "no-shadow-restricted-names": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unreachable": "error",
      "no-unsafe-finally": "error",
      "no-unused-expressions": "off", // `a || b()` is a habit here
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-useless-escape": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "require-atomic-updates": "off", // it takes every field written after an await for a race
    },
  },
  {
    files: ["frontend/js/core/{session,late}.js", "tests/js/**/*.js"],
    rules: { "no-restricted-globals": "off" },
  },
];
