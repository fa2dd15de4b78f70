/**
 * Whether a chunk is one that clients accept: by the schema of the release that is driven, and by the one of 6.0.0,
 * which takes no key it does not know. What every 6.x accepts is what passes there.
 */
import { release } from "./packages.mjs";

/**
 * @param {6 | 7 | "first"} version
 * @returns {Promise<(chunk: unknown) => Promise<{ against: string, problem: string }[]>>} the problems of one chunk
 */
export async function chunkCheck(version) {
  const schemas = {
    "6.0.0": schemaOf(await release("first")),
    [`ai ${version}`]: schemaOf(await release(version)),
  };
  return async (chunk) => {
    const problems = [];
    for (const [against, schema] of Object.entries(schemas)) {
      const result = await schema.validate(chunk);
      if (!result.success) problems.push({ against, problem: shortly(result.error, chunk) });
    }
    return problems;
  };
}

const schemaOf = ({ uiMessageChunkSchema: schema }) => (typeof schema === "function" ? schema() : schema);

/**
 * A union's error tells of every branch; only the one of the chunk's own type is of use.
 * @param {any} error
 * @param {any} chunk
 */
function shortly(error, chunk) {
  const union = error.issues?.find((issue) => issue.code === "invalid_union");
  const ofItsType = union?.errors.find((issues) => issues.every((issue) => issue.path[0] !== "type"));
  if (ofItsType === undefined) return `no such chunk: ${JSON.stringify(chunk?.type)}`;
  return ofItsType.map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": ")).join("; ");
}
