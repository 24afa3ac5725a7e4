import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './source-files.ts'

const usage = `npm run new module NAME 中文名
npm run new entity MODULE NAME 中文名`

const [what, first = '', second = '', third = ''] = process.argv.slice(2)
const isName = (s: string): boolean => /^[a-z][a-zA-Z]{2,30}$/.test(s)

const fail = (why: string): never => {
  process.stderr.write(`${why}\n${usage}\n`)
  process.exit(1)
}

const snake = (s: string): string => s.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`)
const upper = (s: string): string => s[0]!.toUpperCase() + s.slice(1)

function createFile(path: string, text: string): void {
  const at = join(root, path)
  if (existsSync(at)) {
    fail(`${path} 已存在`)
  }
  mkdirSync(dirname(at), { recursive: true })
  writeFileSync(at, text)
  process.stdout.write(`+ ${path}\n`)
}

function editFile(path: string, by: (text: string) => string): void {
  const at = join(root, path)
  const before = readFileSync(at, 'utf8')
  writeFileSync(at, by(before))
  process.stdout.write(`~ ${path}\n`)
}

const stamp = (): string => {
  const d = new Date(Date.now() + 8 * 3_600_000).toISOString()
  return `${d.slice(0, 10).replaceAll('-', '')}-${d.slice(11, 16).replace(':', '')}`
}

function newModule(name: string, label: string): void {
  createFile(
    `modules/${name}/module.ts`,
    `import { menus, defineModule } from '#kit/contract/module.ts'

export const menu = menus('${name}', {})

export const manifest = defineModule({ name: '${name}', label: '${label}', menus: menu, screens: [] })
`,
  )
  createFile(
    `modules/${name}/contract/index.ts`,
    `import type { Call } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import type { Choices } from '#kit/contract/field.ts'

export const contract: { calls: readonly Call[]; entities: readonly Entity[]; choices: readonly Choices[] } = {
  calls: [],
  entities: [],
  choices: [],
}
`,
  )
  createFile(
    `modules/${name}/server/index.ts`,
    `import type { ServerModule } from '#kit/server/handler.ts'

export const server: ServerModule = { handlers: [] }
`,
  )
  createFile(
    `modules/${name}/web/routes.ts`,
    `import type { Routes } from '#kit/web/routes.ts'

export const routes: Routes = {}
`,
  )
  createFile(
    `modules/${name}/README.md`,
    `# ${label}

业务词汇、状态与规则（编号见 docs/glossary.md）。
`,
  )
  editFile('modules/index.ts', text =>
    text
      .replace(/(\n\n\/\*\* Every module)/, `\nimport { manifest as ${name} } from './${name}/module.ts'$1`)
      .replace(/(= \[[^\]]*)\]/, `$1, ${name}]`),
  )
}

function newEntity(module: string, name: string, label: string): void {
  const table = snake(name)
  const many = `${name}s`
  if (!existsSync(join(root, `modules/${module}/module.ts`))) {
    fail(`没有模块 ${module}`)
  }
  createFile(
    `modules/${module}/contract/${name}.ts`,
    `import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { text } from '#kit/contract/field.ts'
import { byIdsWithReason, draftOf, noData, recordOf, pageOf, search } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

export const ${name} = entity('${name}', '${label}', { table: '${table}', tenancy: 'project', title: 'name' }, {
  name: text('名称', { required: true, max: 60, searchable: true }),
})
export type ${upper(name)} = Row<typeof ${name}>

export const list${upper(many)} = call({ route: 'GET ${upper(name)}/Get', title: '查询${label}', needs: everyone, input: search(${name}, ['name']), output: pageOf(${name}) })
export const add${upper(name)} = call({ route: 'POST ${upper(name)}/Post', title: '新增${label}', needs: menu.${name}.permissions.add, input: draftOf(${name}), output: recordOf(${name}), affects: ['${name}'] })
export const edit${upper(name)} = call({ route: 'PUT ${upper(name)}/Put', title: '编辑${label}', needs: menu.${name}.permissions.edit, input: draftOf(${name}), output: recordOf(${name}), affects: ['${name}'] })
export const delete${upper(many)} = call({ route: 'DELETE ${upper(name)}/Delete', title: '删除${label}', needs: menu.${name}.permissions.del, input: byIdsWithReason, output: noData, affects: ['${name}'] })
`,
  )
  createFile(
    `modules/${module}/server/${name}.ts`,
    `import { refuse } from '#kit/contract/wire.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { insert, findPage, remove, update, withAllFields } from '#kit/server/table.ts'
import { add${upper(name)}, delete${upper(many)}, edit${upper(name)}, list${upper(many)}, ${name} } from '../contract/${name}.ts'

export const ${name}Handlers = [
  reads(list${upper(many)}, (q, { db, scope }) => findPage(db, ${name}, scope, q, { filters: list${upper(many)}.input.filters! })),
  writes(add${upper(name)}, (draft, { tx, scope }) => insert(tx, ${name}, scope, draft)),
  writes(edit${upper(name)}, async ({ id, version, ...draft }, { tx, scope }) => (id ? update(tx, ${name}, scope, id, withAllFields(edit${upper(name)}.input, draft), { version }) : refuse('缺少要修改的${label}'))),
  writes(delete${upper(many)}, async ({ ids, reason }, { tx, scope }) => { await remove(tx, ${name}, scope, ids, reason) }),
]
`,
  )
  createFile(
    `db/migrations/${stamp()}-${snake(name).replaceAll('_', '-')}.sql`,
    `-- ${label}

create table ${table} (
  owner_id bigint not null,
  id bigint generated by default as identity,
  project_code text not null,
  name text not null,
  create_time timestamptz not null default now(),
  update_time timestamptz not null default now(),
  create_by bigint not null default 0,
  update_by bigint not null default 0,
  delete_tag smallint not null default 0,
  version integer not null default 1,
  primary key (owner_id, id)
);
create index ${table}_list on ${table} (owner_id, project_code, id desc) where delete_tag = 0;
call guard('${table}');
`,
  )
  editFile(`modules/${module}/module.ts`, text =>
    text.replace(/menus\('(\w+)', \{\n?/, m => `${m.trimEnd()}\n  ${name}: { label: '${label}' },\n`),
  )
  editFile(
    `modules/${module}/contract/index.ts`,
    text =>
      `import * as ${name} from './${name}.ts'\n${text
        .replace(
          /calls: \[\n?/,
          m =>
            `${m.trimEnd()}\n    ${name}.list${upper(many)}, ${name}.add${upper(name)}, ${name}.edit${upper(name)}, ${name}.delete${upper(many)},\n    `,
        )
        .replace(/entities: \[/, m => `${m}${name}.${name}, `)}`,
  )
  editFile(
    `modules/${module}/server/index.ts`,
    text =>
      `import { ${name}Handlers } from './${name}.ts'\n${text.replace(/handlers: \[/, m => `${m}...${name}Handlers, `)}`,
  )
}

if (what === 'module' && isName(first) && second) {
  newModule(first, second)
} else if (what === 'entity' && isName(first) && isName(second) && third) {
  newEntity(first, second, third)
} else {
  fail('用法：')
}
