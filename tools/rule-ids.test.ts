import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

const folders = ['apps', 'kit', 'modules', 'tools', 'db', 'e2e', 'bench']
const files = folders.flatMap(folder => filesUnder(folder, /\.(?:tsx?|mjs|sql|md)$/))
const code = files.filter(file => !file.endsWith('.md') && !file.startsWith('tools/rule-ids'))
const pages = ['docs/rules.md', ...files.filter(file => file.endsWith('/README.md'))]

/** The families of the table in docs/rules.md: `| IMP、EXP | …`. */
const families = [...readSource('docs/rules.md').matchAll(/^\| ([A-Z]+(?:、[A-Z]+)*) \|/gm)].flatMap(match =>
  defined(match[1]).split('、'),
)
/** `PAY-7`, `C27-10`, but neither `T-PAY-07`, which is a worked example, nor `ZD-PAY-7`. */
const ruleId = new RegExp(`(?<![\\w-])(?:${families.join('|')}|C27)-\\d{1,2}(?![\\w-])`, 'g')
/** `C3.1`: a section with a table of states or fields. `C3` alone may be a cell of a sheet. */
const sectionId = /(?<![\w.-])C\d{1,2}\.\d{1,2}(?![\w-]|\.\d)/g

const commentsAndTitles = (file: string): string =>
  (readSource(file).match(/\/\*[\s\S]*?\*\/|(?:\/\/|--).*$|^\s*it\(.*$/gm) ?? []).join('\n')

/** The ids that a page explains: each line of a table or list that begins with one, or with several. */
function explainedIn(page: string): string[] {
  const heads = readSource(page).matchAll(/^(?:\| |- )((?:[A-Z]+\d*(?:-\d+|\.\d+)?、?)+)(?=[ |])/gm)
  return [...heads].flatMap(match => defined(match[1]).split('、'))
}
const explained = new Set(pages.flatMap(explainedIn))

const unexplained = (idsOf: (file: string) => readonly string[]): string[] => {
  const places = new Map<string, string>()
  for (const file of code) {
    for (const id of idsOf(file)) {
      if (!explained.has(id) && !places.has(id)) {
        places.set(id, file)
      }
    }
  }
  return [...places].map(([id, file]) => `${id} in ${file}`)
}

it('every rule that code, SQL and tests cite has its own line in a README or in docs/rules.md', () => {
  expect(families.length).toBeGreaterThan(30)
  expect(unexplained(file => readSource(file).match(ruleId) ?? [])).toEqual([])
})

it('every section that comments and test titles cite is listed in docs/rules.md', () => {
  expect(unexplained(file => commentsAndTitles(file).match(sectionId) ?? [])).toEqual([])
})

it('an id is explained in one table only: a second line tells where, not what', () => {
  const tables = pages.flatMap(page =>
    [...readSource(page).matchAll(/^\| 编号 \| (?:意思|规则)[\s\S]*?(?=\n\n|$(?![\s\S]))/gm)].flatMap(table =>
      [...table[0].matchAll(/^\| ((?:[A-Z]+\d*-\d+、?)+) \|/gm)].flatMap(row =>
        defined(row[1])
          .split('、')
          .map(id => ({ id, page })),
      ),
    ),
  )
  expect(tables.length).toBeGreaterThan(150)
  const seen = new Map<string, string>()
  const twice: string[] = []
  for (const { id, page } of tables) {
    if (seen.has(id)) {
      twice.push(`${id}: ${seen.get(id)}, ${page}`)
    }
    seen.set(id, page)
  }
  expect(twice).toEqual([])
})
