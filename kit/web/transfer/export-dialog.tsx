import { Modal, Radio } from 'antd'
import { useState } from 'react'
import { sheetLimits } from '#kit/contract/sheet.ts'
import type { ExportCalls } from '#kit/contract/import-export.ts'
import type { Column } from '../columns.tsx'
import { formatCount } from '../numbers.tsx'
import { useSend } from '../query.ts'
import { download } from '../send.ts'
import { toast } from '../toast.ts'
import './transfer.css'

interface ExportDialogProps<I, T> {
  readonly spec: ExportCalls<I>
  readonly itemName: string
  readonly columns: readonly Column<T>[]
  readonly filter: I
  readonly total: number
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** The list's own query as a file: 2,000 rows at once, more in the task centre (EXP-1, EXP-2). */
export function ExportDialog<I, T>({
  spec,
  itemName,
  columns: shown,
  filter: asked,
  total,
  ids,
  onClose,
}: ExportDialogProps<I, T>) {
  const [which, setWhich] = useState<'shown' | 'all'>('shown')
  const [rows, setRows] = useState<'filter' | 'ticked'>(ids.length ? 'ticked' : 'filter')
  const [busy, setBusy] = useState(false)
  const start = useSend(spec.start)
  const n = rows === 'ticked' ? ids.length : total
  const later = n > sheetLimits.directRows
  const go = async (): Promise<void> => {
    // Without columns the server writes the whole sheet, which an import takes back.
    const input = {
      ...asked,
      ...(which === 'shown' ? { columns: shown.filter(c => c.field).map(c => c.key) } : {}),
      expected: n,
      ...(rows === 'ticked' ? { ids } : {}),
    } as never
    setBusy(true)
    try {
      if (later) {
        await start.mutateAsync(input)
        toast.success(`正在后台导出 ${formatCount(n)} 条${itemName}，完成后可在任务中心下载`)
      } else {
        toast.success(
          `已导出 ${formatCount(n)} 条${itemName}：${await download(spec.get, input, `${itemName}.xlsx`)}`,
        )
      }
      onClose()
    } catch {
      /* said in a toast */
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={`导出${itemName}`}
      width={440}
      onCancel={onClose}
      okText={later ? '后台导出' : `导出 ${formatCount(n)} 条`}
      okButtonProps={{ loading: busy, disabled: n === 0 }}
      cancelText="取消"
      onOk={() => void go()}
    >
      <div className="export">
        <b id="export-rows">导出哪些行</b>
        <Radio.Group
          aria-labelledby="export-rows"
          vertical
          value={rows}
          onChange={e => setRows(e.target.value as never)}
          options={[
            { value: 'filter', label: `当前筛选的全部 ${formatCount(total)} 条` },
            {
              value: 'ticked',
              label: ids.length ? `勾选的 ${formatCount(ids.length)} 条` : '勾选的行（还没有勾选）',
              disabled: !ids.length,
            },
          ]}
        />
        <b id="export-columns">导出哪些列</b>
        <Radio.Group
          aria-labelledby="export-columns"
          vertical
          value={which}
          onChange={e => setWhich(e.target.value as never)}
          options={[
            { value: 'shown', label: `当前显示的 ${shown.length} 列，顺序相同` },
            { value: 'all', label: '全部字段，改好可以再导入' },
          ]}
        />
        <p>
          {later
            ? `超过 ${formatCount(sheetLimits.directRows)} 条，将在后台导出，完成后到任务中心下载，文件保留 ${sheetLimits.retentionDays} 天`
            : n === 0
              ? '没有可导出的行'
              : '导出会记入操作日志'}
        </p>
      </div>
    </Modal>
  )
}
