import { useCall } from '#kit/web/query.ts'
import { getUsage } from '../contract/node.ts'
import { formatFileSize } from '#kit/contract/text.ts'

type Usage = NonNullable<typeof getUsage.output.T>

const amberPercent = 80
const redPercent = 95

const levelOf = (percent: number): 'ok' | 'high' | 'full' =>
  percent >= redPercent ? 'full' : percent >= amberPercent ? 'high' : 'ok'

export const useUsage = (projectCode: string) => useCall(getUsage, { projectCode }, { keepPrevious: true })

/** What the figure is made of. */
const usageText = ({ fileCount, usedBytes, reservedBytes }: Usage): string =>
  [
    `共 ${fileCount} 个文件，占用 ${formatFileSize(usedBytes)}，含回收站`,
    ...(reservedBytes > 0 ? [`未完成的上传占用 ${formatFileSize(reservedBytes)}`] : []),
  ].join('；')

/** FILE-1: what the project uses, its bin and open uploads included; amber from 80 %, red from 95 %. */
export function QuotaBar({ projectCode }: { readonly projectCode: string }) {
  const { data } = useUsage(projectCode)
  const used = data ? data.usedBytes + data.reservedBytes : 0
  const percent = data ? Math.min(100, (used / data.quotaBytes) * 100) : 0
  return (
    <span className="file-quota" data-level={levelOf(percent)} title={data && usageText(data)}>
      <span
        role="progressbar"
        aria-label="空间用量"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(percent)}
      >
        <i style={{ width: `${percent}%` }} />
      </span>
      <span className="figure">
        {data ? `${formatFileSize(used)} / ${formatFileSize(data.quotaBytes)}` : ''}
        {data && data.reservedBytes > 0 && `（含上传中 ${formatFileSize(data.reservedBytes)}）`}
      </span>
    </span>
  )
}
