/** The releases a scenario may ask for, each loaded only when asked for, and the chunks that they accept. */

const ALIASES = { first: "ai6first", 6: "ai6", 7: "ai7" };

/**
 * @param {"first" | 6 | 7} version the first 6.x there was, the newest 6.x, the newest 7.x
 * @returns {Promise<any>} the package's exports
 */
export async function release(version) {
  const alias = ALIASES[version];
  if (alias === undefined) {
    throw new Error(`version ${JSON.stringify(version)}: expected one of ${Object.keys(ALIASES).join(", ")}`);
  }
  return import(alias);
}

/**
 * Whether a chunk is one that clients accept: by the schema of the release that is driven, and by the one of 6.0.0,
 * which takes no key it does not know. What every 6.x accepts is what passes there.
 *
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
 * A union's error tells of every branch, or, where one alone has the chunk's own type, of that one: only this is of use.
 * @param {any} error
 * @param {any} chunk
 */
function shortly(error, chunk) {
  const union = error.issues?.find((issue) => issue.code === "invalid_union");
  const branches = union ? union.errors : [error.issues ?? []];
  const ofItsType = branches.find(
    (issues) => issues.length && issues.every((issue) => issue.path[0] !== "type"),
  );
  if (ofItsType === undefined) return `no such chunk: ${JSON.stringify(chunk?.type)}`;
  return ofItsType
    .map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": "))
    .join("; ");
}
