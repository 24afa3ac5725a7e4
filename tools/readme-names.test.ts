import { defined } from '#kit/domain/defined.ts'
import { expect, it } from 'vitest'
import { filesUnder, readSource } from './source-files.ts'

const folders = ['apps', 'kit', 'modules', 'tools', 'db', 'e2e', 'bench', 'docs', 'deploy', '.ci']
const files = folders.flatMap(folder =>
  filesUnder(folder, /\.(?:tsx?|mjs|sql|css|md|json|service)$|Containerfile$|\.ci\/run$/),
)
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/naming.md',
  'docs/rules.md',
  'docs/scale.md',
  'docs/pos-protocol.md',
  ...files.filter(file => file.endsWith('/README.md')),
]

const codeWords = new Set(
  files
    .filter(file => /\.(?:tsx?|mjs|sql|css)$/.test(file))
    .flatMap(file => readSource(file).match(/[A-Za-z_$][\w$]*/g) ?? []),
)

/** What another file can call: `report` alone may be a word of any file, `report({…})` is a function. */
const exportedNames = new Set(
  files
    .filter(file => /\.tsx?$/.test(file))
    .flatMap(file => [
      ...readSource(file).matchAll(/^export (?:default )?(?:async )?(?:function\*?|const|class) (\w+)/gm),
    ])
    .map(match => defined(match[1])),
)

/** Every ending of every path: `domain/units.ts` stands for `modules/estates/domain/units.ts`. */
const pathEndings = new Set(
  [...files, 'package.json', 'LICENSE'].flatMap(file => {
    const parts = file.split('/')
    return parts.flatMap((_, from) =>
      parts.slice(from).map((__, to) => parts.slice(from, from + to + 1).join('/')),
    )
  }),
)

/** `defineReport`, `app.jobs.start`, and a call: `defineReport({…})`. */
const isName = (quoted: string): boolean =>
  /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(.*\))?$/.test(quoted)
const isPath = (quoted: string): boolean =>
  /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(quoted) && /\/|\.\w+$/.test(quoted)
/** Of a call the function alone: what is between the parentheses may be an example. */
const namesOf = (quoted: string): string[] => quoted.replace(/\(.*/, '').match(/[A-Za-z_$][\w$]*/g) ?? []

/** Files of a page's example, and names with a placeholder in capitals. */
const isExample = (quoted: string): boolean => /\/spare-parts?\.tsx?$|\/[A-Z]+[/.]/.test(quoted)

/** With a folder and an ending it is a file of the repository, whatever else its words may mean. */
const isFile = (quoted: string): boolean => /\/[\w.-]+\.(?:tsx?|mjs|sql|css|md|json)$/.test(quoted)

const calledFunction = (quoted: string): string | undefined =>
  /^([A-Za-z_$][\w$]*)\(\{[^"]*\}\)$/.exec(quoted)?.[1]

const isKnown = (quoted: string): boolean =>
  isExample(quoted) ||
  (isPath(quoted) && pathEndings.has(quoted.replace(/\/$/, ''))) ||
  (!isFile(quoted) &&
    (exportedNames.has(calledFunction(quoted) ?? '') ||
      (!calledFunction(quoted) && namesOf(quoted).every(name => codeWords.has(name)))))

/** A path within the module whose README quotes it must be in that module. */
const isElsewhere = (page: string, quoted: string): boolean => {
  const folder = /^modules\/[^/]+\//.exec(page)?.[0]
  return folder !== undefined && /^(?:contract|domain|server|web)\//.test(quoted) && isFile(quoted)
    ? !files.includes(folder + quoted)
    : false
}

it('every name and file that a page quotes is in the code', () => {
  const unknown = pages.flatMap(page => {
    const text = readSource(page).replace(/```[\s\S]*?```/g, '')
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(match => defined(match[1]))
    return quoted
      .filter(each => (isName(each) || isPath(each)) && (!isKnown(each) || isElsewhere(page, each)))
      .map(each => `${page}: ${each}`)
  })
  expect(unknown).toEqual([])
})

/** `BILL` of `BILL-7`, and of its worked example `T-BILL-07`. */
const ruleFamilies = (text: string): string[] =>
  [...text.matchAll(/(?<![\w'"-])(?:T-)?(?!UTF|SHA)([A-Z]{1,5})-\d{1,2}(?![\w-])/g)].map(match =>
    defined(match[1]),
  )

const commentsOf = (file: string): string =>
  file.endsWith('.md')
    ? readSource(file)
    : (readSource(file).match(/\/\*\*[\s\S]*?\*\/|\/\/.*$|^\s*it\(.*$/gm) ?? []).join('\n')

it('docs/rules.md lists every family of rules that code and pages cite', () => {
  const listed = new Set(
    ruleFamilies(
      readSource('docs/rules.md').replace(/^\| ([A-Z、]+) \|/gm, (_, families: string) =>
        families
          .split('、')
          .map(family => `${family}-1 `)
          .join(''),
      ),
    ),
  )
  const unknown = files
    .filter(file => /^(?:kit|modules)\/.*\.(?:tsx?|md)$/.test(file))
    .flatMap(file =>
      ruleFamilies(commentsOf(file))
        .filter(family => !listed.has(family))
        .map(family => `${file}: ${family}`),
    )
  expect([...new Set(unknown)]).toEqual([])
})
