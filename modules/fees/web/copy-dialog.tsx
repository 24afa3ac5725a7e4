import { useMemo } from 'react'
import { defined } from '#kit/domain/defined.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { useSend } from '#kit/web/query.ts'
import { bulkResultText } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import type { FeeStandard } from '../contract/standard.ts'
import { copyStandards } from '../contract/standard-calls.ts'
import { createMultiRefControl } from './ref-controls.tsx'

const ProjectsControl = createMultiRefControl('estate', 'key')

const copyGroups: readonly FormFieldGroup[] = [
  {
    keys: [
      { key: 'projects', control: ProjectsControl, help: '连同全部价格版本；已有同编码标准的项目不改动' },
    ],
  },
]

/** Copies standards with their versions to other projects. */
export function CopyDialog({
  of,
  onClose,
}: {
  readonly of: readonly FeeStandard[]
  readonly onClose: () => void
}) {
  const copy = useSend(copyStandards, { quiet: true })
  const initial = useMemo(() => ({ ids: of.map(s => String(s.id)) }), [of])
  return (
    <EditDialog
      shape={copyStandards.input}
      draftKey={draftKeyOf(copyStandards, initial.ids)}
      title={
        of.length === 1 ? `复制「${defined(of[0]).name}」到其他项目` : `复制 ${of.length} 个标准到其他项目`
      }
      groups={copyGroups}
      initial={initial}
      submitLabel="复制"
      save={v => copy.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        ;(a.skipped ? toast.warning : toast.success)(bulkResultText(a))
        onClose()
      }}
    />
  )
}
