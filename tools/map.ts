import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProductMap, type ProductMap } from './product-map.ts'
import { root } from './source-files.ts'

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')

/**
 * docs/map.md: from a screen to its file, from an address to its module and permission, from a table to its
 * migration.
 */
export const renderMap = (m: ProductMap): string => `# 地图

本页由 \`npm run map\` 生成，不要手改。

## 屏幕（${m.screens.length}）
${table(
  ['路径', '标题', '模块', '权限', '文件'],
  m.screens.map(s => [`\`${s.path}\``, s.title, s.module, s.permission, s.file || '—']),
)}

## 接口（${m.calls.length}）
${table(
  ['方法', '路径', '别名', '标题', '模块', '权限'],
  m.calls.map(c => [
    c.method,
    `\`${c.path}\``,
    c.names.map(n => `\`${n}\``).join(' '),
    c.title,
    c.module,
    c.permission,
  ]),
)}

## 表（${m.tables.length}）
${table(
  ['表', '实体', '名称', '模块', '迁移'],
  m.tables.map(t => [t.table, t.entity, t.label, t.module, t.migration]),
)}
`

if (import.meta.main) {
  const m = await readProductMap()
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(m)}\n`)
  } else {
    writeFileSync(join(root, 'docs/map.md'), renderMap(m))
    process.stdout.write(
      `docs/map.md: ${m.screens.length} 屏幕, ${m.calls.length} 接口, ${m.tables.length} 表\n`,
    )
    await import('./role-matrix.ts').then(r => r.writeRoleMatrix())
    await import('./settings-page.ts').then(r => r.writeSettingsPage())
  }
}
