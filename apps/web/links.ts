import { linkHistory } from '#kit/web/changes.ts'
import { linkFiles } from '#kit/web/files.ts'
import { provideRefFiles } from '#kit/web/refs.ts'
import { linkReveal } from '#kit/web/reveal.ts'
import { send } from '#kit/web/send.ts'
import { linkSetup } from '#kit/web/setup.ts'
import { upload } from '#kit/web/upload.ts'
import { fileUrls, uploadFile } from '#modules/system/contract/file.ts'
import { getSetup, putSetup } from '#modules/system/contract/setup.ts'

const log = () => import('#modules/accounts/contract/log.ts')
const quiet = { quiet: true, project: 0 } as const

/** What the kit needs of modules, said once at start: where files lie, how references are chosen. */
export function link(): void {
  provideRefFiles(import.meta.glob('../../modules/*/web/refs/*.ts*'))
  linkHistory(async (entity, entityId) =>
    (await send((await log()).historyOf, { entity, entityId }, { quiet: true })).map(a => ({
      at: a.time,
      by: a.operatorName ?? '系统',
      action: a.action,
      reason: a.reason,
      changes: a.changes ?? [],
    })),
  )
  linkReveal(async (entity, entityId, field) => send((await log()).noteShown, { entity, entityId, field }))
  linkFiles({
    keep: async (file, onProgress) =>
      (await upload(uploadFile, {}, file, { quiet: true, ...(onProgress ? { onProgress } : {}) })).key,
    addresses: async keys => new Map((await send(fileUrls, { keys }, quiet)).map(f => [f.key, f.url])),
  })
}

/** The settings of the one who has signed in; without them this browser's own copy serves. */
export const linkPerson = (): Promise<void> =>
  linkSetup({
    load: async () => Object.fromEntries((await send(getSetup, {}, quiet)).map(s => [s.key, s.value])),
    save: (key, value) => send(putSetup, { key, value }, quiet),
  }).catch(() => undefined)
