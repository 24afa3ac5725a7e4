import { median, measureMs } from './bench.ts'

/** The product's own preview and import on a database, without the wait for a worker. */
export interface ImportSteps {
  /** Returns the id of the import. */
  preview(file: string): Promise<string>
  work(importId: string): Promise<void>
  /** Empties the tables that the import fills. */
  clear(): Promise<void>
}

/** Milliseconds of both steps. */
export async function measureImport(
  steps: ImportSteps,
  path: string,
): Promise<{ preview: number; work: number }> {
  let importId = ''
  // What another file has filled would be refused as known already.
  await steps.clear()
  const preview = await median(() =>
    measureMs(async () => {
      importId = await steps.preview(path)
    }),
  )
  const work = await median(async () => {
    await steps.clear()
    return measureMs(() => steps.work(importId))
  })
  return { preview, work }
}
