import { defined } from '#kit/domain/defined.ts'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lineAt, nodesOf, parsed } from './syntax-tree.ts'
import { filesUnder, importsOf, packagesOf, readSource, root } from './source-files.ts'

/**
 * Who may import what. `own` is the same module; another module is reached through its contract or its
 * `public` files; `list` is the list of modules, whose permissions roles grant. `web/paths.ts` also reads the
 * addresses of screens from the manifests of the modules that own them.
 */
const allowedImports: Record<string, readonly string[]> = {
  module: ['kit/contract'],
  contract: ['kit/domain/defined', 'kit/contract', 'own/module', 'own/contract', 'other/contract'],
  domain: ['kit/contract', 'kit/domain', 'own/contract', 'own/domain', 'other/contract'],
  server: [
    'kit/contract',
    'kit/domain',
    'kit/server',
    'kit/data',
    'own/module',
    'own/contract',
    'own/domain',
    'own/server',
    'other/contract',
    'other/server/public',
    'list',
  ],
  web: [
    'kit/contract',
    'kit/domain',
    'kit/web',
    'kit/data',
    'own/module',
    'own/contract',
    'own/domain',
    'own/web',
    'other/contract',
    'other/web/public',
  ],
}

const allowedKitImports: Record<string, readonly string[]> = {
  domain: ['kit/domain'],
  contract: ['kit/contract', 'kit/domain'],
  data: ['kit/data', 'kit/contract', 'kit/domain'],
  server: ['kit/contract', 'kit/domain', 'kit/data', 'kit/server'],
  web: ['kit/contract', 'kit/domain', 'kit/data', 'kit/web'],
}

/** Packages of each layer. The pure layers have none; what a browser runs knows no Node and no database. */
const serverPackages =
  /^(node:|pg$|pg-boss$|pg-copy-streams$|kysely$|fastify$|@fastify\/|qs$|pdfkit$|prom-client$|iconv-lite$|uqr$|otplib$|altcha-lib(\/|$)|ajv$|@napi-rs\/canvas$|sanitize-html$)/
const webPackages =
  /^(react$|react\/|react-dom|react-router$|antd$|antd\/|@ant-design\/|@tanstack\/react-query$|dayjs|zustand|@tiptap\/)/
const allowedPackages: Record<string, RegExp> = {
  module: /^$/,
  contract: /^$/,
  domain: /^$/,
  data: /^$/,
  server: serverPackages,
  web: webPackages,
}
/** The search boxes of both sides find names by their pinyin; the browser solves what altcha sets it. */
const packageExceptions: Readonly<Record<string, RegExp>> = {
  'kit/domain/search-text.ts': /^pinyin-pro$/,
  'kit/web/pinyin.ts': /^pinyin-pro$/,
  'kit/web/resumable-upload.ts': /^tus-js-client$/,
  'modules/accounts/web/proof-worker.ts': /^(altcha-lib|@noble\/hashes)(\/|$)/,
  // Points are known by digests, also on a page without encryption; browsers without a scanner get one.
  'modules/patrol/web/rounds.ts': /^@noble\/hashes(\/|$)/,
  'kit/web/phone/qr-library.ts': /^qr(\/|$)/,
  'kit/server/resumable-upload.ts': /^@tus\//,
  'kit/server/upload-store.ts': /^@tus\//,
  'kit/server/mail.ts': /^nodemailer$/,
  'modules/wechat/server/platform/xml.ts': /^fast-xml-parser$/,
  'kit/server/s3-storage.ts': /^@aws-sdk\//,
  'kit/server/observation/operation.ts': /^@opentelemetry\/api$/,
  'kit/server/observation/tracing.ts': /^@opentelemetry\/api$/,
  'kit/server/observation/tracing-sdk.ts': /^@opentelemetry\//,
  'modules/accounts/server/oidc-client.ts': /^openid-client$/,
  'kit/server/company-data/zip-writer.ts': /^yazl$/,
  'modules/files/server/archive.ts': /^yazl$/,
}

/** Fixtures (`*.fixtures.ts`, `fixtures.ts`) belong to the tests: the product never imports them. */
const isTest = (file: string): boolean => /\.test\.tsx?$|\.types\.ts$|(^|[./])fixtures\.ts$/.test(file)
const moduleFiles = filesUnder('modules', /\.tsx?$/).filter(file => !isTest(file))
const kitFiles = filesUnder('kit', /\.tsx?$/).filter(
  file => !isTest(file) && !/kit\/web\/gallery\/|kit\/server\/fixtures\/|\/testing\.ts$/.test(file),
)

const isAllowed = (allowed: readonly string[], to: string): boolean =>
  allowed.some(ok => to === ok || to.startsWith(`${ok}/`) || to.startsWith(`${ok}.`))

const moduleOf = (file: string): string => defined(file.split('/')[1])
const layerOf = (file: string): string => defined(file.replace('/module.ts', '/module/').split('/')[2])

/** Files that may read addresses from the manifests of other modules, which import the kit alone. */
const isPaths = (file: string): boolean => /^modules\/[^/]+\/web\/paths\.ts$/.test(file)
const isManifest = (file: string): boolean => /^modules\/[^/]+\/module\.ts$/.test(file)

/** What a file may import: its layer's, and the addresses of other modules. */
const allowedFor = (file: string): readonly string[] => [
  ...defined(allowedImports[layerOf(file)]),
  ...(isPaths(file) ? ['other/module'] : []),
]

/** Where an import leads, seen from a file of a module: `own/…`, `other/…`, `kit/…`, `list`. */
function destinationOf(file: string, to: string): string {
  if (to === 'modules/index.ts') return 'list'
  return to.replace(/^modules\/([^/]+)/, (_, module: string) => (module === moduleOf(file) ? 'own' : 'other'))
}

it('a module has its four layers, its manifest and its README, and nothing else', () => {
  const known = new Set(['README.md', 'module.ts', 'contract', 'domain', 'server', 'web'])
  const modules = readdirSync(join(root, 'modules'), { withFileTypes: true }).filter(e => e.isDirectory())
  expect(modules.length).toBeGreaterThan(10)
  const strange = modules.flatMap(module =>
    readdirSync(join(root, 'modules', module.name))
      .filter(entry => !known.has(entry))
      .map(entry => `modules/${module.name}/${entry}`),
  )
  expect(strange).toEqual([])
})

it('layers of modules import only what they may', () => {
  const layered = moduleFiles.filter(file => file.split('/').length > 2)
  expect(layered.length).toBeGreaterThan(100)
  const broken = layered.flatMap(file =>
    importsOf(file)
      .filter(to => !isAllowed(allowedFor(file), destinationOf(file, to)))
      .map(to => `${file} → ${to}`),
  )
  expect(broken).toEqual([])
  expect(
    moduleFiles.flatMap(f =>
      importsOf(f)
        .filter(isTest)
        .map(to => `${f} → ${to}`),
    ),
  ).toEqual([])
})

it('of the manifest of another module only addresses are read', () => {
  const others = moduleFiles.filter(isPaths).flatMap(file =>
    [...readSource(file).matchAll(/\{([^}]*)\} from '#modules\/[\w-]+\/module\.ts'/g)].flatMap(match =>
      defined(match[1])
        .split(',')
        .map(name => name.trim().split(' as ')[0] ?? '')
        .filter(name => name !== '' && !/^paths$|(?:Screens|Path|Address)$/.test(name))
        .map(name => `${file}: ${name}`),
    ),
  )
  expect(others).toEqual([])
})

it('the kit imports only itself, layer by layer', () => {
  const broken = kitFiles.flatMap(file => {
    const allowed = allowedKitImports[defined(file.split('/')[1])]
    return allowed
      ? importsOf(file)
          .filter(to => !isAllowed(allowed, to))
          .map(to => `${file} → ${to}`)
      : []
  })
  expect(broken).toEqual([])
})

it('each layer uses only the packages that it may', () => {
  const layers = [
    ...moduleFiles.filter(file => file.split('/').length > 2).map(file => [file, layerOf(file)] as const),
    ...kitFiles.map(file => [file, defined(file.split('/')[1])] as const),
  ]
  const broken = layers.flatMap(([file, layer]) =>
    packagesOf(file)
      .filter(name => allowedPackages[layer] && !allowedPackages[layer].test(name))
      .filter(name => !packageExceptions[file]?.test(name))
      .map(name => `${file} → ${name}`),
  )
  expect(broken).toEqual([])
})

it('modules form no circle', () => {
  const edges = new Map<string, Set<string>>()
  for (const file of moduleFiles) {
    const from = moduleOf(file)
    for (const to of importsOf(file)) {
      const module = /^modules\/([^/]+)\//.exec(to)?.[1]
      // An address makes no module depend on the other: a manifest knows nothing but the kit.
      const isAddress = isPaths(file) && isManifest(to)
      if (module && module !== from && !isAddress && !file.startsWith('modules/index')) {
        edges.set(from, (edges.get(from) ?? new Set()).add(module))
      }
    }
  }
  const circles: string[] = []
  const walk = (at: string, path: readonly string[]): void => {
    if (path.includes(at)) {
      circles.push([...path.slice(path.indexOf(at)), at].join(' → '))
      return
    }
    for (const next of edges.get(at) ?? []) {
      walk(next, [...path, at])
    }
  }
  for (const module of edges.keys()) {
    walk(module, [])
  }
  expect(circles).toEqual([])
})

/** What only the outside world can answer: the clock, chance, the machine, the network. */
const impureGlobals = new Set([
  'process',
  'performance',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'crypto',
  'window',
  'document',
  'localStorage',
  'navigator',
  'Deno',
  'Bun',
])

type SyntaxNode = ReturnType<typeof parsed> extends Iterable<infer Node> ? Node : never

/**
 * Whether an expression asks the machine what time it is, or hands the clock on under another name:
 * `const D = Date`, `const { now } = Date`, `const f = Date.now`.
 */
function asksClock(node: SyntaxNode, textOf: (part: { start: number; end: number }) => string): boolean {
  return (
    (node.type === 'NewExpression' && /(^|\.)Date$/.test(textOf(node.callee)) && !node.arguments.length) ||
    (node.type === 'CallExpression' && /(^|\.)Date(\.now)?$/.test(textOf(node.callee))) ||
    (node.type === 'VariableDeclarator' &&
      node.init !== null &&
      /^(globalThis\.)?Date(\.now)?$/.test(textOf(node.init)))
  )
}

/** The names that a function takes as parameters, and where: only there do they hide the global. */
const parameterScopes = (nodes: readonly SyntaxNode[]) =>
  nodes.flatMap(node =>
    'params' in node && Array.isArray(node.params)
      ? [...node.params].flatMap(param =>
          param && typeof param === 'object' && 'name' in param
            ? [{ name: String(param.name), start: node.start, end: node.end }]
            : [],
        )
      : [],
  )

/** The places in a file that ask the clock, throw dice or reach out of the program. */
function impurities(
  file: string,
  text = readSource(file),
  nodes: readonly SyntaxNode[] = parsed(file),
): string[] {
  const declared = new Set(
    nodes.flatMap(node =>
      'id' in node && node.id && typeof node.id === 'object' && 'name' in node.id
        ? [String(node.id.name)]
        : [],
    ),
  )
  const parameters = parameterScopes(nodes)
  const textOf = (node: { start: number; end: number }): string => text.slice(node.start, node.end)
  const isImpure = (name: string, at: number): boolean =>
    impureGlobals.has(name) &&
    !declared.has(name) &&
    !parameters.some(scope => scope.name === name && scope.start <= at && at < scope.end)
  return nodes
    .filter(node => {
      const isDice = node.type === 'MemberExpression' && /(^|\.)Math\.random$/.test(textOf(node))
      const isGlobal =
        (node.type === 'MemberExpression' &&
          node.object.type === 'Identifier' &&
          isImpure(node.object.name, node.start)) ||
        (node.type === 'CallExpression' &&
          node.callee.type === 'Identifier' &&
          isImpure(node.callee.name, node.start))
      return asksClock(node, textOf) || isDice || isGlobal
    })
    .map(node => `${file}:${lineAt(text, node.start)}: ${textOf(node).slice(0, 40)}`)
}

it('the check of the pure layers sees a clock under another name, and a global beside a parameter', () => {
  const found = (text: string): number => impurities('sample.ts', text, nodesOf('sample.ts', text)).length
  for (const impure of [
    'const D = Date; new D()',
    'const { now } = Date; now()',
    'const clock = Date.now',
    'new globalThis.Date()',
    'const f = (document: string) => document.length; document.title',
    'Math.random()',
  ]) {
    expect(found(impure), impure).toBeGreaterThan(0)
  }
  expect(found('const f = (document: { title: string }) => document.title; new Date(0)')).toBe(0)
})

it('the pure layers know no clock, no chance and no machine', () => {
  const pure = [...kitFiles, ...moduleFiles].filter(
    file => /^kit\/(contract|domain)\//.test(file) || /^modules\/[^/]+\/(contract|domain)\//.test(file),
  )
  expect(pure.flatMap(file => impurities(file))).toEqual([])
})

/** Files of the server that ask the machine's own clock, each with the reason. */
const machineClocks: Readonly<Record<string, string>> = {
  'kit/server/files.ts': 'the age of a file, which the machine has dated',
  'kit/server/upload.ts': 'the age of a file, which the machine has dated',
  'kit/server/postgres/backup.ts': 'a command of its own, without an app',
  'modules/charging/server/simulator/pile.ts': 'a pile with a clock of its own',
  'apps/server/main.ts': 'lines of the log, which begin before the app',
}

it("the server asks the app's clock alone, which tests turn", () => {
  const serverFiles = [
    ...kitFiles.filter(file => file.startsWith('kit/server/')),
    ...moduleFiles.filter(file => /^modules\/[^/]+\/server\//.test(file)),
    ...filesUnder('apps/server', /\.ts$/).filter(file => !isTest(file)),
  ]
  const asking = serverFiles.flatMap(file => {
    const text = readSource(file)
    if (!/\bDate\b/.test(text)) return []
    const textOf = (part: { start: number; end: number }): string => text.slice(part.start, part.end)
    return [...parsed(file)]
      .filter(node => asksClock(node, textOf))
      .map(node => ({ file, place: `${file}:${lineAt(text, node.start)}: ${textOf(node).slice(0, 40)}` }))
  })
  expect(asking.filter(({ file }) => !(file in machineClocks)).map(({ place }) => place)).toEqual([])
  // What no longer asks needs no exception.
  const used = new Set(asking.map(({ file }) => file))
  expect(Object.keys(machineClocks).filter(file => !used.has(file))).toEqual([])
})

it('the agent imports only what a package of it carries: the pure kit and the protocol', () => {
  const allowed = ['apps/agent', 'kit/contract', 'kit/domain', 'modules/devices/contract']
  const files = filesUnder('apps/agent', /\.ts$/).filter(file => !isTest(file) && !/\/fixtures\//.test(file))
  expect(files.length).toBeGreaterThan(20)
  const imports = files.flatMap(file => importsOf(file).map(to => ({ file, to })))
  expect(
    imports.filter(({ to }) => !isAllowed(allowed, to)).map(({ file, to }) => `${file} → ${to}`),
  ).toEqual([])
  // It runs where nothing is installed but Node.
  const packages = files.flatMap(file => packagesOf(file).map(name => ({ file, name })))
  expect(
    packages.filter(({ name }) => !name.startsWith('node:')).map(({ file, name }) => `${file} → ${name}`),
  ).toEqual([])
})
