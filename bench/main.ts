import { defined } from '#kit/domain/defined.ts'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { openCluster } from '#kit/server/postgres/cluster.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { runCommand, parseArguments } from '#tools/command-line.ts'
import type { Bench, BenchContext, BenchRow } from './bench.ts'

const USAGE = 'npm run bench -- [--only 名称] [--json]'

async function loadBenches(only: string | undefined): Promise<Bench[]> {
  const files = readdirSync(import.meta.dirname)
    .filter(file => file.endsWith('.bench.ts'))
    .toSorted()
  const all = await Promise.all(
    files.map((file): Promise<Bench> => import(pathToFileURL(join(import.meta.dirname, file)).href)),
  )
  const selectedNames = all.filter(bench => !only || bench.name === only)
  if (selectedNames.length === 0)
    throw new StartupError(
      `没有名为 ${only} 的基准。现有：${all.map(bench => bench.name).join('、')}。\n用法：${USAGE}`,
    )
  return selectedNames
}

async function runBenches(selectedNames: Bench[]): Promise<(BenchRow & { bench: string })[]> {
  const top = mkdtempSync(join(tmpdir(), 'anju-bench-'))
  const cluster = await openCluster({ dataDir: join(top, 'data') })
  let made = 0
  const asRole = async (statement: string) => {
    const client = new pg.Client(cluster.url)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const context: BenchContext = {
    cluster,
    database: async () => {
      const name = `bench_${++made}`
      await asRole(`create database ${name}`)
      await migrate(cluster.urlOf(name))
      return cluster.urlOf(name)
    },
    folder: () => mkdtempSync(join(top, 'folder-')),
    log: line => console.error(line),
  }
  try {
    const rows: (BenchRow & { bench: string })[] = []
    for (const bench of selectedNames) {
      context.log(`测量 ${bench.name} ……`)
      for (const row of await bench.run(context)) {
        rows.push({ bench: bench.name, ...row })
      }
    }
    return rows
  } catch (error) {
    // Reported before the cluster stops: a client that a bench left open ends the process with its own
    // complaint then.
    context.log(error instanceof Error ? String(error.stack) : String(error))
    throw error
  } finally {
    await cluster.close()
    rmSync(top, { recursive: true, force: true })
  }
}

/** Columns that a terminal shows: Chinese characters take two. */
function displayWidth(text: string): number {
  return [...text].reduce(
    (sum, each) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
        each,
      )
        ? 2
        : 1),
    0,
  )
}

function formatFigure(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

function renderTable(rows: (BenchRow & { bench: string })[]): string {
  const unit = (row: BenchRow) => (row.unit ? ` ${row.unit}` : '')
  const cells = rows.map(row => [
    row.bench,
    row.label,
    formatFigure(row.ours) + unit(row),
    formatFigure(row.raw) + unit(row),
    `${formatFigure(row.ratio)} ×`,
    row.bar,
    row.ok ? '✓' : '✗',
  ])
  const lines = [['基准', '测什么', '本产品', '极限', '比值', '标准', ''], ...cells]
  const widths = defined(lines[0]).map((_, column) =>
    Math.max(...lines.map(line => displayWidth(defined(line[column])))),
  )
  const pad = (text: string, column: number) => {
    const space = ' '.repeat(defined(widths[column]) - displayWidth(text))
    return column >= 2 && column <= 4 ? space + text : text + space
  }
  return lines.map(line => line.map(pad).join('  ').trimEnd()).join('\n')
}

await runCommand(async () => {
  const { values } = parseArguments({ only: { type: 'string' }, json: { type: 'boolean' } }, USAGE)
  const rows = await runBenches(await loadBenches(values.only))
  console.log(values.json ? JSON.stringify(rows, null, 2) : renderTable(rows))
  return rows.every(row => row.ok) ? 0 : 1
})
