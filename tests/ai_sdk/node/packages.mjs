/** The releases a scenario may ask for; each is loaded only when asked for. */

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
