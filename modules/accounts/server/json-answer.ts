/** The response of another service, typed as documented; `otherwise` where it is no JSON. */
export async function readJsonAnswer<T extends object>(answer: Response, otherwise: T): Promise<T> {
  try {
    return JSON.parse(await answer.text())
  } catch {
    return otherwise
  }
}
