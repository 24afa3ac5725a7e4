import { defined } from '#kit/domain/defined.ts'
import { parseSync, type Node } from 'oxc-parser'
import { expect, it } from 'vitest'
import { lineAt, parsed, sourceFiles } from './syntax-tree.ts'
import { filesUnder, readSource } from './source-files.ts'

/**
 * Words of the old private vocabulary, refused as whole words of identifiers and file names (`camelCase` and
 * `kebab-case` are taken apart). What to write instead: docs/naming.md.
 */
const refusedInNames: ReadonlySet<string> = new Set([
  'deed',
  'deeds',
  'desk',
  'desks',
  'door',
  'doors',
  'gate',
  'gates',
  'gone',
  'greets',
  'heir',
  'laid',
  'lent',
  'lies',
  'luck',
  'manners',
  'may',
  'mine',
  'nameplate',
  'nought',
  'purse',
  'reckon',
  'said',
  'says',
  'sought',
  'standing',
  'strike',
  'takings',
  'there',
  'ticked',
  'till',
  'tills',
  'told',
  'urge',
  'veil',
  'veils',
  'verb',
  'verbs',
  'wall',
  'walls',
  'who',
  'whom',
  'world',
  'worlds',
])

/** Names of CSS classes: what scripts may call so, and the words of the old private vocabulary. */
const refusedInClasses: ReadonlySet<string> = new Set([...refusedInNames, 'act', 'acts', 'ways'])

/**
 * The same in comments, test titles, style sheets and pages, where ordinary English may use some of them.
 * Literary and outdated words too, and the pronouns that take every user for a man.
 */
const refusedInText: ReadonlySet<string> = new Set([
  'anew',
  'deed',
  'deeds',
  'desk',
  'desks',
  'he',
  'hence',
  'him',
  'himself',
  'his',
  'lest',
  'meanwhile',
  'nameplate',
  'nameplates',
  'nought',
  'ought',
  'purse',
  'reckon',
  'reckoned',
  'reckoning',
  'reckons',
  'said',
  'shall',
  'thereby',
  'thereof',
  'thus',
  'told',
  'upon',
  'veil',
  'whoever',
  'whomever',
])

/** Words that say nothing as a whole identifier; within a longer one they may. */
const refusedAlone: ReadonlySet<string> = new Set([
  'act',
  'care',
  'carried',
  'given',
  'held',
  'holds',
  'look',
  'takes',
  'tend',
  'ways',
])

/** Where such an identifier may stand, by the beginning of the path, each with its reason. */
const aloneExceptions: ReadonlyMap<string, string> = new Map([
  // A member of MeterMonth, which telephones keep in their queued readings.
  ['carried', 'modules/meters/'],
])

/** Identifiers that may keep a refused word, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  doorNo: 'the number of a door at its controller, of ISAPI',
  doorRight: 'a member of ISAPI',
  doorStatus: 'a member of ISAPI',
  DoorStatusWeekPlanCfg: 'a message of ISAPI',
  DoorStatusPlanTemplate: 'a message of ISAPI',
  DoorStatusPlan: 'a message of ISAPI',
  DoorParam: 'a message of ISAPI',
  RemoteControlDoor: 'a message of ISAPI',
  doorPassage: 'the type of an event, as drivers send it',
  doorAlarm: 'the type of an event, as drivers send it',
  openDoor: 'a command, as drivers know it',
  gateNo: 'the GateNo of the specification: the number of a gateway',
  gateNos: 'several of them',
  GateNos: 'the same on the wire',
  gate_no: 'the column of gateNo',
  urge: 'the code of the permission to remind of bills, and the last part of a route',
  urge_count: 'a column of bill',
  urgeCount: 'the column urge_count',
  urgeCountFrom: 'a filter on the column urge_count',
  urgeCountTo: 'a filter on the column urge_count',
  last_urge_time: 'a column of bill',
  lastUrgeTime: 'the column last_urge_time',
  run_told: 'a column of reconcile_item',
  till: 'the code of the permission on the collection summary, as roles have stored it',
}

/**
 * Names that pages quote and that keep a refused word: the route of the cashier's bills, as clients call it.
 */
const quotedExceptions: ReadonlySet<string> = new Set(['GetDesk'])

const wordsOf = (name: string): string[] =>
  name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map(word => word.toLowerCase())
    .filter(word => word !== '')

const refusedIn = (name: string, refused: ReadonlySet<string>): string[] =>
  name in exceptions ? [] : wordsOf(name).filter(word => refused.has(word))

const identifierPattern = /(?<![\w$])[A-Za-z_$][\w$]*/g

interface Code {
  readonly code: string
  readonly comments: readonly Comment[]
}

const codeByFile = new Map<string, Code>()

/** The code of a file without comments and texts, every position and line kept; read once. */
function codeOnly(file: string): Code {
  const known = codeByFile.get(file)
  if (known) return known
  const text = readSource(file)
  const { comments } = parseSync(file, text)
  let code = ''
  let copied = 0
  for (const { start, end } of comments) {
    code += text.slice(copied, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    copied = end
  }
  code += text.slice(copied)
  const withoutTexts = code.replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, t => ' '.repeat(t.length))
  const found = { code: withoutTexts, comments }
  codeByFile.set(file, found)
  return found
}

/** The text of a file's templates in its place, everything else blank. */
const templatesOf = (file: string): string => {
  const text = readSource(file)
  // Parsing is slow: most files have no statement.
  if (!/\bsql\b/.test(text)) return ''
  let kept = ''
  let copied = 0
  for (const node of parsed(file)) {
    if (node.type !== 'TemplateElement' || node.start < copied) continue
    kept += text.slice(copied, node.start).replace(/[^\n]/g, ' ') + text.slice(node.start, node.end)
    copied = node.end
  }
  return kept
}

type Comment = ReturnType<typeof parseSync>['comments'][number]

it('no identifier is made of a word that docs/naming.md refuses', () => {
  const found = sourceFiles.flatMap(file => {
    const { code } = codeOnly(file)
    return [...code.matchAll(identifierPattern)].flatMap(match =>
      refusedIn(match[0], refusedInNames).map(
        word => `${file}:${lineAt(code, match.index)} ${match[0]} (${word})`,
      ),
    )
  })
  expect(found).toEqual([])
})

const canStandAlone = (file: string, name: string): boolean =>
  file.startsWith(aloneExceptions.get(name) ?? '-')

const isIdentifier = (node: Node): node is Node & { readonly name: string } =>
  node.type === 'Identifier' || node.type === 'PrivateIdentifier'

it('no identifier is one of the words that say nothing alone', () => {
  const anyOfThem = new RegExp(`(?<![\\w$])(?:${[...refusedAlone].join('|')})(?![\\w$])`, 'i')
  const found = sourceFiles.flatMap(file =>
    // Parsing is slow: most files have none of the words.
    anyOfThem.test(codeOnly(file).code)
      ? parsed(file).flatMap(node =>
          isIdentifier(node) && refusedAlone.has(node.name.toLowerCase()) && !canStandAlone(file, node.name)
            ? [`${file}:${lineAt(readSource(file), node.start)} ${node.name}`]
            : [],
        )
      : [],
  )
  expect([...new Set(found)]).toEqual([])
})

const cssFiles = [
  ...filesUnder('kit', /\.css$/),
  ...filesUnder('modules', /\.css$/),
  ...filesUnder('apps', /\.css$/),
]

it('no CSS class is made of a word that docs/naming.md refuses', () => {
  const found = cssFiles.flatMap(file => {
    const css = readSource(file).replace(/\/\*[\s\S]*?\*\/|\{[^{}]*\}/g, text => text.replace(/[^\n]/g, ' '))
    return [...css.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].flatMap(match =>
      refusedIn(defined(match[1]), refusedInClasses).map(
        word => `${file}:${lineAt(css, match.index)} ${match[1]} (${word})`,
      ),
    )
  })
  expect(found).toEqual([])
})

/** Names that SQL gives to result columns, subqueries and record sets. Tables and their columns stay. */
const sqlNames = /\bas ([a-z_]+)\b|\bwith (?:recursive )?([a-z_]+) as\b|\), ([a-z_]+) as \(/g

it('no name that a statement gives is made of a word that docs/naming.md refuses', () => {
  const files = [...sourceFiles, ...filesUnder('modules', /\/server\/.*\.sql$/)]
  const found = files.flatMap(file => {
    const text = file.endsWith('.sql') ? readSource(file) : templatesOf(file)
    return [...text.matchAll(sqlNames)].flatMap(match => {
      const name = defined(match[1] ?? match[2] ?? match[3])
      const refusedWhole = refusedAlone.has(name) && !canStandAlone(file, name) ? [name] : []
      return [...refusedWhole, ...refusedIn(name, refusedInNames)].map(
        word => `${file}:${lineAt(text, match.index)} ${name} (${word})`,
      )
    })
  })
  expect(found).toEqual([])
})

it('no key of an object is made of a word that docs/naming.md refuses, written as a text either', () => {
  const found = sourceFiles.flatMap(file => {
    const text = readSource(file)
    return [...text.matchAll(/^\s*'([A-Za-z_][\w-]*)':/gm)].flatMap(match =>
      refusedIn(defined(match[1]), refusedInNames).map(
        word => `${file}:${lineAt(text, match.index)} ${match[1]} (${word})`,
      ),
    )
  })
  expect(found).toEqual([])
})

it('no file name is made of a word that docs/naming.md refuses', () => {
  expect(sourceFiles.filter(file => refusedIn(file, refusedInNames).length)).toEqual([])
})

const titlePattern = /^\s*(?:it|test|describe)(?:\.\w+(?:\([^)]*\))?)?\(\s*(['"`])(.*?)\1/gm

interface Prose {
  readonly line: number
  readonly words: string
}

const proseOf = (file: string): Prose[] => {
  const text = readSource(file)
  return [
    ...codeOnly(file).comments.map(comment => ({ line: lineAt(text, comment.start), words: comment.value })),
    ...[...text.matchAll(titlePattern)].map(title => ({
      line: lineAt(text, title.index),
      words: defined(title[2]),
    })),
  ]
}

const withoutQuoted = (text: string): string =>
  text.replace(/[A-Za-z]+/g, word => (quotedExceptions.has(word) ? '' : word))

/** The prose of other files: comments of SQL and CSS, whole pages. docs/naming.md lists the refused words. */
const otherProse = [
  ...[...cssFiles, ...filesUnder('modules', /\/server\/.*\.sql$/)].map(file => ({
    file,
    pattern: file.endsWith('.sql') ? /--(.*)/g : /\/\*([\s\S]*?)\*\//g,
  })),
  ...['docs', 'kit', 'modules']
    .flatMap(folder => filesUnder(folder, /\.md$/))
    .filter(file => file !== 'docs/naming.md')
    .map(file => ({ file, pattern: /(.+)/g })),
]

/** Phrases that a reader stumbles over, and what to write instead. */
const refusedPhrases: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bhangs? on\b/i, 'is connected to, refers to, depends on'],
  [/\bin vain\b/i, 'without success'],
]

it('no comment or test title uses a phrase that has a plain word', () => {
  const found = sourceFiles
    .filter(file => file !== 'tools/names.test.ts')
    .flatMap(file =>
      proseOf(file).flatMap(({ line, words }) =>
        refusedPhrases
          .filter(([phrase]) => phrase.test(words))
          .map(([, instead]) => `${file}:${line} write: ${instead}`),
      ),
    )
  expect(found).toEqual([])
})

it('no comment, test title or page uses a refused word', () => {
  const inCode = sourceFiles.flatMap(file =>
    proseOf(file).flatMap(({ line, words }) =>
      refusedIn(words, refusedInText).map(word => `${file}:${line} ${word}`),
    ),
  )
  const elsewhere = otherProse.flatMap(({ file, pattern }) => {
    const text = readSource(file)
    return [...text.matchAll(pattern)].flatMap(match =>
      refusedIn(withoutQuoted(defined(match[1])), refusedInText).map(
        word => `${file}:${lineAt(text, match.index)} ${word}`,
      ),
    )
  })
  expect([...inCode, ...elsewhere]).toEqual([])
})

/** A function returns; a server or a device answers. */
const answersForReturns = /(?:^\*\s+|[;,] | and )answers (?:how|it|its|the|them|those|what|whether)\b/i

it('a comment says what a function returns, not what it answers', () => {
  const found = sourceFiles.flatMap(file =>
    proseOf(file)
      .filter(({ words }) => answersForReturns.test(words))
      .map(({ line, words }) => `${file}:${line} ${words.trim()}`),
  )
  expect(found).toEqual([])
})

it('every exception is still used', () => {
  const used = new Set(
    sourceFiles.flatMap(file => [...codeOnly(file).code.matchAll(identifierPattern)].map(match => match[0])),
  )
  expect(Object.keys(exceptions).filter(name => !used.has(name))).toEqual([])
})

/** Messages that wait in the queue of an installation say it so. */
const namesOwnerOtherwise: readonly string[] = ['kit/server/jobs/task-queue.ts']

it('the number of the company is called `ownerId`; an owner is a person', () => {
  const found = sourceFiles
    .filter(file => !namesOwnerOtherwise.includes(file))
    .filter(file => /\bowner\??: (?:Id|number|CompanyScope)\b/.test(readSource(file)))
  expect(found).toEqual([])
})
