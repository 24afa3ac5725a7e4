import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql, type RawBuilder } from './db.ts'

/** A comment line, a quoted text, a cast, or a placeholder (`:name`), whichever comes first. */
const token = /--[^\n]*\n?|'(?:[^']|'')*'|::|:([a-z]\w*)/gi

interface ParsedSql {
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

function parse(source: string): ParsedSql {
  const texts: string[] = []
  const names: string[] = []
  let text = ''
  let end = 0
  for (const match of source.matchAll(token)) {
    text += source.slice(end, match.index)
    end = match.index + match[0].length
    if (match[1] !== undefined) {
      texts.push(text)
      names.push(match[1])
      text = ''
    } else if (!match[0].startsWith('--')) {
      text += match[0]
    }
  }
  return { texts: [...texts, text + source.slice(end)].map(part => part.replace(/\n\s*\n/g, '\n')), names }
}

/**
 * A long statement in a `.sql` file beside its handler, with `:name` where a value or a fragment goes
 * (`code(…)`, `notDeleted(…)`, a condition). Read once, when the module is loaded, without its comment lines.
 * Throws when the names in the file are not exactly `names`.
 *
 *     const monthGrid = sqlFile(import.meta.dirname, 'month-grid.sql', ['owner', 'month'])
 *     await db.many(monthGrid<GridRow>({ owner, month }))
 */
export function sqlFile<const Name extends string>(
  directory: string,
  file: string,
  names: readonly Name[],
): <Row>(values: Readonly<Record<Name, unknown>>) => RawBuilder<Row> {
  const parsed = parse(readFileSync(join(directory, file), 'utf8').trim())
  const inFile = [...new Set(parsed.names)].toSorted()
  if (inFile.join() !== [...names].toSorted().join()) {
    throw new Error(`${file} takes ${inFile.join(', ')}; its caller names ${names.join(', ')}`)
  }
  const texts = Object.assign([...parsed.texts], { raw: parsed.texts })
  return <Row>(values: Readonly<Record<string, unknown>>) =>
    sql<Row>(texts, ...parsed.names.map(name => values[name]))
}
