import { Button } from 'antd'
import { useState } from 'react'
import { keyRef } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { today } from '#kit/web/date-format.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { toast } from '#kit/web/toast.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { importResidents } from '#modules/residents/contract/import-export.ts'
import { addResident, resident, residencyDraftFields } from '#modules/residents/contract/resident.ts'
import { InlineForm } from '#kit/web/form/inline-form.tsx'
import type { StepProps } from './step.ts'

const ImportDialog = lazyComponent(() =>
  import('#kit/web/transfer/import-dialog.tsx').then(m => m.ImportDialog),
)

const projectCode = estateField()

const input = shape({
  projectCode,
  roomCode: keyRef('房间', 'room', { required: true, wire: 'RoomCode' }),
  name: resident.fields.name,
  mobile: resident.fields.mobile,
  relation: residencyDraftFields.relation,
  inDate: residencyDraftFields.inDate,
})

type ResidentInput = NonNullable<typeof input.T>

const groups = [
  {
    keys: [
      'roomCode',
      { key: 'relation', help: '首位业主为该房间的缴费人' },
      'name',
      'mobile',
      { key: 'inDate', wide: false },
    ],
  },
]

const saveResident = ({ roomCode, name, mobile, relation, inDate, projectCode: project }: ResidentInput) =>
  send(
    addResident,
    {
      homeProject: project,
      name,
      ...(mobile ? { mobile } : {}),
      userType: 'person',
      state: 'normal',
      rooms: [{ roomCode, relation, ...(inDate ? { inDate } : {}) }],
      linkExisting: true,
    },
    { quiet: true, project },
  )

export function ResidentStep({ projectCode: project, onDone, onOpenStep }: StepProps) {
  const [importing, setImporting] = useState(false)
  return (
    <>
      <InlineForm
        shape={input}
        groups={groups}
        initial={{ projectCode: project, relation: 'owner', inDate: today() }}
        draftKey={`guide/resident/${project}`}
        submitLabel="登记住户"
        save={saveResident}
        onDone={person => {
          void invalidate(['resident', 'residency', 'room'])
          toast.success(`已登记住户「${person.name}」，可继续登记下一位`)
          onDone(false)
        }}
        extraContent={<Button onClick={() => setImporting(true)}>从表格导入</Button>}
      />
      <p className="step-note">
        住户表中的楼栋和房间须已存在；房间表（含楼栋、面积）请到「房间」步骤导入，可一并新增楼栋{' '}
        <Button type="link" size="small" onClick={() => onOpenStep('room')}>
          导入房间
        </Button>
      </p>
      {importing && (
        <ImportDialog
          spec={importResidents}
          itemName="住户"
          input={{ projectCode: project }}
          nextStep={{ label: '下一步', run: () => onDone(true) }}
          onClose={() => {
            setImporting(false)
            onDone(false)
          }}
        />
      )}
    </>
  )
}
