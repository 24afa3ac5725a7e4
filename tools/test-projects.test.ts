import { existsSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { expect, it } from 'vitest'
import { lineAt, parsed, sourceFiles } from './syntax-tree.ts'
import { readSource, root } from './source-files.ts'
import { alone, sharing } from './test-projects.ts'

const matches = (file: string, patterns: readonly string[]): boolean =>
  patterns.some(pattern => matchesGlob(file, pattern))

const sharingFiles = sourceFiles.filter(file => matches(file, sharing) && !matches(file, alone))

/** What a module tells another at its start, and no test can take back. */
const registers = /^(register|provide)[A-Z]|^on[A-Z]\w+$/

/** Modules of the tests' own, with entities and choices that the product does not have. */
const ownModules = /\/fixtures\/probe/

/** What a file leaves in the registries of its process. */
export function registrationsIn(file: string): string[] {
  const imported = new Set<string>()
  const found: string[] = []
  const text = readSource(file)
  for (const node of parsed(file)) {
    if (node.type === 'ImportDeclaration') {
      if (ownModules.test(node.source.value)) {
        found.push(`${file}:${lineAt(text, node.start)} ${node.source.value}`)
      }
      for (const { local } of node.specifiers) {
        imported.add(local.name)
      }
    }
    if (node.type === 'CallExpression' && node.callee.type === 'Identifier') {
      const { name } = node.callee
      if (imported.has(name) && registers.test(name)) {
        found.push(`${file}:${lineAt(text, node.start)} ${name}`)
      }
    }
  }
  return found
}

it('a test that registers something has a process of its own (tools/test-projects.ts)', () => {
  expect(sharingFiles.length).toBeGreaterThan(140)
  expect(sharingFiles.flatMap(registrationsIn)).toEqual([])
  expect(registrationsIn('modules/accounts/server/granting.test.ts')).not.toEqual([])
  expect(registrationsIn('modules/system/server/work-queue.test.ts')).not.toEqual([])
})

it('the files that are alone are there', () => {
  const names = alone.filter(pattern => !pattern.includes('*'))
  expect(names.filter(name => !existsSync(join(root, name)))).toEqual([])
})
