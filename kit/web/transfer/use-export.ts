import { useState } from 'react'
import type { Field } from '#kit/contract/field.ts'
import type { ExportCalls, ExportInput } from '#kit/contract/import-export.ts'
import { sheetLimits } from '#kit/contract/sheet.ts'
import { formatCount } from '../numbers.tsx'
import { useSend } from '../query.ts'
import { download } from '../send.ts'
import { useSession } from '../session.ts'
import { toast } from '../toast.ts'
import { personalDataHint } from './personal-data-hint.ts'

/** The text under the buttons of an export of so many rows. */
export const exportHint = (inBackground: boolean): string =>
  inBackground
    ? `超过 ${formatCount(sheetLimits.directRows)} 条，将在后台导出，完成后到任务中心下载，文件保留 ${sheetLimits.retentionDays} 天`
    : '导出会记入操作日志'

/** What the file will show of phones and documents in these fields (EXP-4). */
export const usePersonalDataHint = (fields: readonly Field[]): string | undefined =>
  personalDataHint(
    fields,
    useSession(s => s.signed?.manager.showPrivacy === true),
  )

/** Writes a sheet: up to 2,000 rows at once, more as a background task (EXP-1, EXP-2). */
export function useExport<I>(spec: ExportCalls<I>, itemName: string, rowCount: number) {
  const [busy, setBusy] = useState(false)
  const start = useSend(spec.start)
  const inBackground = rowCount > sheetLimits.directRows
  const count = formatCount(rowCount)
  /** True when the file was written or its task was started; a refusal has been shown in a toast. */
  const run = async (input: I & ExportInput): Promise<boolean> => {
    setBusy(true)
    try {
      if (inBackground) {
        await start.mutateAsync(input)
        toast.success(`正在后台导出 ${count} 条${itemName}，完成后可在任务中心下载`)
      } else {
        const file = await download(spec.get, input, `${itemName}.xlsx`)
        toast.success(`已导出 ${count} 条${itemName}：${file}`)
      }
      return true
    } catch {
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, inBackground, run }
}
