import type pg from 'pg'

/**
 * Row-level security keeps LIKE from an index unless its functions are declared to leak nothing, which only a
 * superuser may do; they can fail on their pattern alone, never on a row's text.
 */
const likeFunctions = ['textlike', 'texticlike'] as const

export const leakproofStatements = likeFunctions.map(
  name => `alter function pg_catalog.${name}(text, text) leakproof`,
)

/** What a superuser has to run in the database so that searching uses its index; nothing where it does. */
export async function missingLeakproof(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `
      select proname as name
      from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname = any($1) and not proleakproof
    `,
    [likeFunctions],
  )
  return likeFunctions.flatMap((name, n) =>
    rows.some(row => row.name === name) ? [`${leakproofStatements[n]};`] : [],
  )
}
