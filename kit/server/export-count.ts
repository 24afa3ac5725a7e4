import type { ExportInput } from '#kit/contract/import-export.ts'
import { refuse } from '#kit/contract/wire.ts'

export const formatThousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ',')

/** The screen counted; where the filter now finds another number, the export is refused. */
export const checkCount = (count: number, { expected }: ExportInput): number => {
  if (expected !== undefined && expected !== count)
    return refuse(
      `符合条件的数据现在有 ${formatThousands(count)} 条（刚才是 ${formatThousands(expected)} 条），请刷新后重新导出`,
    )
  return count || refuse('无符合条件的数据，请调整筛选条件')
}
