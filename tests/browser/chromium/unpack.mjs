/** Unpacks the package's Chromium into TMPDIR, with the libraries that a bare machine lacks; prints its path. */

process.env.AWS_LAMBDA_JS_RUNTIME = "nodejs22.x"; // it brings the libraries for that one only
const { default: chromium } = await import("@sparticuz/chromium");
console.log(await chromium.executablePath());
