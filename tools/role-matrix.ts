import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicAccess, everyone, type Call } from '#kit/contract/call.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { demoRoles, permissionsOf } from '#db/golden/roles.ts'
import { root } from './source-files.ts'

interface Part {
  readonly manifest: ModuleManifest
  readonly contract: { readonly calls: readonly Call[] }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const permissionOf = (c: Call): string =>
  c.needs === publicAccess
    ? '无需登录'
    : c.needs === everyone
      ? '登录即可'
      : (c.needs as { label: string }).label

/**
 * docs/role-matrix.md: which role of the demo has which permission, module by module. The data domain still
 * decides about which records.
 */
export function renderRoleMatrix(all: readonly Part[]): string {
  const manifests = all.map(m => m.manifest)
  const grantedKeys = demoRoles.map(r => permissionsOf(r, manifests))
  const granted = all
    .flatMap(m => m.contract.calls)
    .flatMap(c => (typeof c.needs === 'object' ? [c.needs.key] : []))
  const mark = (c: Call): string[] =>
    grantedKeys.map(set => (typeof c.needs !== 'object' || set.has(c.needs.key) ? '✓' : ''))
  const sums = grantedKeys.map(set => String(granted.filter(key => set.has(key)).length))
  const head = ['接口', '标题', '需要', ...demoRoles.map(r => r.name)]
  const table = (rows: readonly (readonly string[])[], headings = head): string =>
    [row(headings), row(headings.map(() => '---')), ...rows.map(row)].join('\n')
  return `# 角色与接口

本页由 \`npm run map\` 生成，不要手改。列是演示公司的角色（\`db/golden/roles.ts\`）；超级管理员可以调用全部接口。✓ 表示有权调用；能看到、改到哪些记录还要看数据范围。

${table([['需要授权的接口', String(granted.length), ...sums]], ['', '全部', ...demoRoles.map(r => r.name)])}
${all
  .filter(m => m.contract.calls.length)
  .map(
    m => `
## ${m.manifest.label}
${table(m.contract.calls.map(c => [`\`${c.route}\``, c.title, permissionOf(c), ...mark(c)]))}
`,
  )
  .join('')}`
}

/** Writes the page; called by `npm run map`. */
export async function writeRoleMatrix(): Promise<void> {
  const all = await loadInstalledModules()
  writeFileSync(join(root, 'docs/role-matrix.md'), renderRoleMatrix(all))
  process.stdout.write(
    `docs/role-matrix.md: ${demoRoles.length} 角色, ${all.reduce((n, m) => n + m.contract.calls.length, 0)} 接口\n`,
  )
}
