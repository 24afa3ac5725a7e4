import { setHistorySource } from '#kit/web/change-history.ts'
import { setFileStore } from '#kit/web/file-store.ts'
import { registerRefFiles } from '#kit/web/refs.ts'
import { setPersonalDataLoader } from '#kit/web/reveal.ts'
import { send } from '#kit/web/send.ts'
import { connectSettings } from '#kit/web/user-settings.ts'
import { upload } from '#kit/web/upload.ts'
import { getFileUrls, uploadFile } from '#modules/system/contract/file.ts'
import { getUserSettings, saveUserSetting } from '#modules/system/contract/user-setting.ts'

const loadAuditLog = () => import('#modules/accounts/contract/operation-log.ts')
const quietOptions = { quiet: true, project: 0 } as const

/**
 * Connects the kit to the modules that store files, settings, history and references; called once at start.
 */
export function connectKit(): void {
  registerRefFiles(import.meta.glob('../../modules/*/web/refs/*.ts*'))
  setHistorySource(async (entity, entityId) =>
    (await send((await loadAuditLog()).listRecordHistory, { entity, entityId }, { quiet: true })).map(a => ({
      at: a.time,
      by: a.operatorName ?? '系统',
      action: a.action,
      reason: a.reason,
      changes: a.changes ?? [],
    })),
  )
  setPersonalDataLoader(async (entity, entityId, field) =>
    send((await loadAuditLog()).revealPersonalData, { entity, entityId, field }),
  )
  setFileStore({
    save: async (file, onProgress) =>
      (await upload(uploadFile, {}, file, { quiet: true, ...(onProgress ? { onProgress } : {}) })).key,
    find: async keys => new Map((await send(getFileUrls, { keys }, quietOptions)).map(f => [f.key, f])),
  })
}

/** The settings of the signed-in user; when the server has none, this browser's own copy is used. */
export const connectUserSettings = (): Promise<void> =>
  connectSettings({
    load: async () =>
      Object.fromEntries((await send(getUserSettings, {}, quietOptions)).map(s => [s.key, s.value])),
    save: (key, value) => send(saveUserSetting, { key, value }, quietOptions),
  }).catch(() => undefined)
