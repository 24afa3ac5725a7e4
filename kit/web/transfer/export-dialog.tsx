import { Modal, Radio } from 'antd'
import { useState } from 'react'
import type { Field } from '#kit/contract/field.ts'
import type { ExportCalls } from '#kit/contract/import-export.ts'
import type { Column } from '../columns.tsx'
import { formatCount } from '../numbers.tsx'
import { sheetFieldsOf } from './personal-data-hint.ts'
import { exportHint, useExport, usePersonalDataHint } from './use-export.ts'
import './transfer.css'

interface ExportDialogProps<I, T> {
  readonly spec: ExportCalls<I>
  readonly itemName: string
  readonly columns: readonly Column<T>[]
  /** The list's own fields, written when all columns are exported. */
  readonly fields: Readonly<Record<string, Field>>
  readonly filter: I
  /** Undefined while it is being counted. */
  readonly total: number | undefined
  readonly ids: readonly string[]
  /** The whole sheet can be imported again. */
  readonly isImportable: boolean
  readonly onClose: () => void
}

const hintOf = (count: number | undefined, inBackground: boolean): string =>
  count === undefined ? '条数统计完成后可以导出' : count === 0 ? '无可导出的数据' : exportHint(inBackground)

/** The list's own query as a file: 2,000 rows at once, more in the task centre (EXP-1, EXP-2). */
export function ExportDialog<I, T>({
  spec,
  itemName,
  columns,
  fields,
  filter,
  total,
  ids,
  isImportable,
  onClose,
}: ExportDialogProps<I, T>) {
  const [columnChoice, setColumnChoice] = useState<'shown' | 'all'>('shown')
  const [rowChoice, setRowChoice] = useState<'filter' | 'selected'>(ids.length ? 'selected' : 'filter')
  const count = rowChoice === 'selected' ? ids.length : total
  const { busy, inBackground, run } = useExport(spec, itemName, count ?? 0)
  const personalData = usePersonalDataHint(
    columnChoice === 'shown' ? columns.flatMap(c => c.field ?? []) : sheetFieldsOf(fields),
  )
  const submit = async (): Promise<void> => {
    // Without columns the server writes the whole sheet, which an import takes back where there is one.
    const input = {
      ...filter,
      ...(columnChoice === 'shown' ? { columns: columns.filter(c => c.field).map(c => c.key) } : {}),
      ...(count === undefined ? {} : { expected: count }),
      ...(rowChoice === 'selected' ? { ids } : {}),
    }
    if (await run(input)) {
      onClose()
    }
  }
  return (
    <Modal
      open
      title={`导出${itemName}`}
      width={440}
      onCancel={onClose}
      okText={count === undefined ? '导出' : inBackground ? '后台导出' : `导出 ${formatCount(count)} 条`}
      okButtonProps={{ loading: busy, disabled: !count }}
      cancelText="取消"
      onOk={() => void submit()}
    >
      <div className="export">
        <b id="export-rows">导出范围</b>
        <Radio.Group
          aria-labelledby="export-rows"
          vertical
          value={rowChoice}
          onChange={e => setRowChoice(e.target.value)}
          options={[
            {
              value: 'filter',
              label: `当前筛选的全部 ${total === undefined ? '记录' : `${formatCount(total)} 条`}`,
            },
            {
              value: 'selected',
              label: ids.length ? `勾选的 ${formatCount(ids.length)} 条` : '勾选的行（未勾选）',
              disabled: !ids.length,
            },
          ]}
        />
        <b id="export-columns">导出列</b>
        <Radio.Group
          aria-labelledby="export-columns"
          vertical
          value={columnChoice}
          onChange={e => setColumnChoice(e.target.value)}
          options={[
            { value: 'shown', label: `当前显示的 ${columns.length} 列，顺序相同` },
            { value: 'all', label: isImportable ? '全部字段，修改后可重新导入' : '全部字段' },
          ]}
        />
        {personalData && <p>{personalData}</p>}
        <p>{hintOf(count, inBackground)}</p>
      </div>
    </Modal>
  )
}
