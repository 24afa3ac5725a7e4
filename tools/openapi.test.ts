import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { buildOpenApi } from '#kit/server/openapi/document.ts'
import { objectOf } from '#kit/contract/fixtures.ts'
import { root } from './source-files.ts'

const document = buildOpenApi(await loadInstalledModules(), 'test')
const description = JSON.stringify(document)

it('the description of all calls is valid OpenAPI, its examples fit their schemas', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  try {
    const file = join(folder, 'openapi.json')
    writeFileSync(file, description)
    const command = join(root, 'node_modules/@redocly/cli/bin/cli.js')
    const args = [
      'lint',
      file,
      '--config',
      join(root, 'tools/redocly.yaml'),
      '--format=stylish',
      '--max-problems=20',
    ]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
      env,
      encoding: 'utf8',
    })
    expect(status === 0 ? '' : stdout + stderr).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('names of operations are fit for addresses and for code', () => {
  const ids = [...description.matchAll(/"operationId":"([^"]*)"/g)].map(match => match[1] ?? '')
  expect(ids.length).toBeGreaterThan(700)
  expect(ids.filter(id => !/^[A-Z]+_[A-Za-z0-9_]+$/.test(id))).toEqual([])
})

it('no optional input has a default: generators would have it sent, and an edit keeps what is not', () => {
  const schemas = Object.entries(objectOf(objectOf(document.components).schemas))
  const withDefault = schemas.filter(([, schema]) => JSON.stringify(schema).includes('"default":'))
  expect(withDefault.map(([name]) => name)).toEqual([])
  expect(description).toContain('不发送时为 600')
})

it('the samples name calls as the description does', () => {
  const files = ['kit/server/openapi/docs-script.ts', 'docs/integrations.md', 'docs/samples/first-calls.ts']
  const paths = files.flatMap(file =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\/api\/([a-z]+\/[a-z]+)/gi)].map(([, path]) => path),
  )
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter(path => !(`/api/${path}` in objectOf(document.paths)))).toEqual([])
})
