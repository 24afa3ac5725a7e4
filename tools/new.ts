import { defined } from '#kit/domain/defined.ts'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as templates from './new-templates.ts'
import type { EntityNames } from './new-templates.ts'
import { root } from './source-files.ts'

const usage = `npm run new -- module NAME 中文名
npm run new -- entity MODULE NAME 中文名 [--sheet]   --sheet：带导入导出`

/** npm keeps an option that is not behind `--`, and passes it on in the environment. */
const hasSheet = process.argv.includes('--sheet') || process.env.npm_config_sheet === 'true'

const fail = (why: string): never => {
  process.stderr.write(`${why}\n${usage}\n`)
  process.exit(1)
}

const kebabCase = (s: string): string => s.replace(/[A-Z]/g, c => `-${c.toLowerCase()}`)
const snakeCase = (s: string): string => kebabCase(s).replaceAll('-', '_')
const camelCase = (s: string): string => s.replace(/-([a-z])/g, (_, c: string) => c.toUpperCase())
const capitalize = (s: string): string => defined(s[0]).toUpperCase() + s.slice(1)
const pluralOf = (s: string): string => (/[^aeiou]y$/.test(s) ? `${s.slice(0, -1)}ies` : `${s}s`)

const written: string[] = []

function createFile(path: string, text: string): void {
  const at = join(root, path)
  if (existsSync(at)) {
    fail(`${path} 已存在`)
  }
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, text)
  written.push(path)
  process.stdout.write(`+ ${path}\n`)
}

/** Changes a file; each edit must find its place. */
function editFile(path: string, ...edits: readonly (readonly [place: RegExp, to: string])[]): void {
  const at = join(root, path)
  let text = readFileSync(at, 'utf8')
  for (const [place, to] of edits) {
    if (!place.test(text)) {
      fail(`${path}：未找到 ${place.source}，请手工登记 ${to}`)
    }
    text = text.replace(place, to)
  }
  writeFileSync(at, text)
  written.push(path)
  process.stdout.write(`~ ${path}\n`)
}

/** Adds an import in front where the file has not got it. */
const importing = (path: string, name: string, from: string): readonly (readonly [RegExp, string])[] => {
  const text = readFileSync(join(root, path), 'utf8')
  return new RegExp(`\\b${name}\\b[^]*from '${from.replaceAll('.', '\\.')}'`).test(text)
    ? []
    : [[/^/, `import { ${name} } from '${from}'\n`]]
}

/** The current time in Shanghai: migrations run in the order of their names. */
const stamp = (): string => {
  const d = new Date(Date.now() + 8 * 3_600_000).toISOString()
  return `${d.slice(0, 10).replaceAll('-', '')}-${d.slice(11, 16).replace(':', '')}`
}

function newModule(name: string, label: string): void {
  createFile(`modules/${name}/module.ts`, templates.moduleManifest(name, label))
  createFile(`modules/${name}/contract/index.ts`, templates.moduleContract)
  createFile(`modules/${name}/server/index.ts`, templates.moduleServer)
  createFile(`modules/${name}/server/tables.ts`, templates.moduleTables)
  createFile(`modules/${name}/web/routes.ts`, templates.moduleRoutes)
  createFile(`modules/${name}/README.md`, templates.moduleReadme(label))
  editFile(
    'modules/index.ts',
    [
      /\n\n(?=\/\*\* Every module)/,
      `\nimport { manifest as ${camelCase(name)} } from './${name}/module.ts'\n\n`,
    ],
    [/,?\n?\](?=\s*$)/, `,\n  ${camelCase(name)},\n]`],
  )
  process.stdout.write(`${name}：排在菜单最后，请在 modules/index.ts 里移到合适的位置（数组即菜单顺序）\n`)
}

function registerEntity({ module, name, upper, many, label, sheet, table }: EntityNames): void {
  const folder = `modules/${module}`
  const manifest = `${folder}/module.ts`
  const buttons = sheet ? `, buttons: { import: '导入', export: '导出' }` : ''
  editFile(
    manifest,
    ...importing(manifest, 'crudScreens', '#kit/contract/crud-screens.ts'),
    [/menus\('[\w-]+', \{/, `$&\n  ${name}: { label: '${label}'${buttons} },\n`],
    [
      /export const manifest = /,
      `export const ${name}Screens = crudScreens(menu.${name}, {
        path: '/${module}/${name}', title: '${label}', noun: '${label}', section: 'internal', group: '${label}',
        add: 'add', edit: 'edit', detail: 'detail', addsToProject: true,
      })\n\n$&`,
    ],
    [/screens: \[/, `$&...${name}Screens.screens, `],
  )
  editFile(
    `${folder}/contract/index.ts`,
    [/^/, `import * as ${name} from './${kebabCase(name)}.ts'\n`],
    [/declareContract\(/, `$&${name}, `],
  )
  const server = `${folder}/server/index.ts`
  const joined = readFileSync(join(root, server), 'utf8').includes('joinServers(')
  editFile(
    server,
    [/^/, `import { ${name}Server } from './${kebabCase(name)}.ts'\n`],
    ...(joined
      ? ([[/server = joinServers\(/, `$&${name}Server, `]] as const)
      : ([
          [/^/, `import { joinServers } from '#kit/server/crud.ts'\n`],
          [/server: ServerModule = (\{[^]*\n\})/, `server = joinServers(${name}Server, $1)`],
        ] as const)),
  )
  editFile(`${folder}/server/tables.ts`, [/tables = \{/, `$&\n  ${table}: [],`])
  const routes = `${folder}/web/routes.ts`
  editFile(
    routes,
    ...importing(routes, 'crudRoutes', '#kit/web/routes.ts'),
    [/^/, `import { ${name}Screens } from '../module.ts'\n`],
    [/Routes = \{/, `$&\n  ...crudRoutes(${name}Screens.paths, () => import('./${kebabCase(many)}.tsx')),\n`],
  )
  process.stdout.write(`${upper}：菜单在「内部」，请在 ${manifest} 里改到合适的组；再运行 npm run map\n`)
}

function newEntity(module: string, name: string, label: string, sheet: boolean): void {
  if (!existsSync(join(root, `modules/${module}/module.ts`))) {
    fail(`没有模块 ${module}`)
  }
  const many = pluralOf(name)
  const names: EntityNames = {
    module,
    name,
    upper: capitalize(name),
    many,
    upperMany: capitalize(many),
    table: snakeCase(name),
    file: kebabCase(name),
    label,
    sheet,
  }
  const folder = `modules/${module}`
  createFile(`${folder}/contract/${kebabCase(name)}.ts`, templates.entityContract(names))
  createFile(`${folder}/server/${kebabCase(name)}.ts`, templates.entityServer(names))
  createFile(`${folder}/server/${kebabCase(name)}.test.ts`, templates.entityTest(names))
  createFile(`${folder}/web/${kebabCase(many)}.tsx`, templates.entityPages(names))
  createFile(`db/migrations/${stamp()}-${kebabCase(name)}.sql`, templates.entityMigration(names))
  registerEntity(names)
}

const format = (): void => {
  const files = written.filter(f => /\.tsx?$/.test(f))
  spawnSync(process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '--write', ...files], {
    cwd: root,
  })
}

/** `spare-part` or `sparePart`: the words become those of files, identifiers and tables. */
const isName = (s: string): boolean => /^(?=.{3,30}$)[a-z]+(?:-[a-z]+|[A-Z][a-z]*)*$/.test(s)
const words = process.argv.slice(2).filter(w => !w.startsWith('--'))
const [kind, first = '', second = '', third = ''] = words

if (kind === 'module' && isName(first) && second) {
  newModule(kebabCase(first), second)
} else if (kind === 'entity' && isName(first) && isName(second) && third) {
  newEntity(kebabCase(first), camelCase(second), third, hasSheet)
} else {
  fail('用法：')
}
format()
