import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { today } from '#kit/web/date-format.ts'
import { useSend } from '#kit/web/query.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import type { Id } from '#kit/domain/id.ts'
import { addMembers } from '../contract/group.ts'

/** People or whole departments join a group from a day on. */
export function AddMembersDialog({
  groupId,
  onClose,
}: {
  readonly groupId?: Id
  readonly onClose: () => void
}) {
  const adding = useSend(addMembers, { quiet: true })
  return (
    <EditDialog
      shape={addMembers.input}
      draftKey={draftKeyOf(addMembers, String(groupId ?? 'new'))}
      title="添加考勤组人员"
      groups={[
        {
          keys: [
            'groupId',
            { key: 'staffIds', wide: true },
            { key: 'departmentIds', wide: true },
            'beginDate',
          ],
        },
      ]}
      initial={{ beginDate: today(), ...(groupId === undefined ? {} : { groupId }) }}
      submitLabel="添加"
      presentation="dialog"
      rules={values =>
        values.staffIds?.length || values.departmentIds?.length ? undefined : { staffIds: '请选择员工或部门' }
      }
      save={values => adding.mutateAsync(values)}
      onClose={onClose}
      onDone={answer => {
        reportBulkResult(answer, '添加考勤组人员结果')
        onClose()
      }}
    />
  )
}
