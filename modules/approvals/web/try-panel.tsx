import { Button } from 'antd'
import { useState } from 'react'
import { ref, type Field } from '#kit/contract/field.ts'
import { parseId } from '#kit/domain/id.ts'
import { controls } from '#kit/web/controls/control-kinds.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import { send } from '#kit/web/send.ts'
import { tryProcess, type Process } from '../contract/process.ts'
import { encodeForm, fieldsOfForm } from '../domain/form.ts'
import { useKindForm } from './condition-fields.ts'
import { PlannedNodes, type PlannedNode } from './planned-nodes.tsx'

const applicantField = ref('申请人', 'manager')

interface SampleFieldProps {
  readonly name: string
  readonly field: Field
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function SampleField({ name, field, value, onChange }: SampleFieldProps) {
  const Control = controls[field.kind]
  return (
    <label className="labelled">
      <span>{field.label}</span>
      <Control
        field={field}
        id={`sample-${name}`}
        value={value}
        onChange={onChange}
        onBlur={() => {}}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        formValues={{}}
        nestedFaults={{}}
        compact
      />
    </label>
  )
}

/** Tries the definition as it is in the form with a sample request: who would be asked. */
export function TryPanel({ values }: { readonly values: Partial<Process> }) {
  const [applicant, setApplicant] = useState('')
  const [form, setForm] = useState<Readonly<Record<string, unknown>>>({})
  const [planned, setPlanned] = useState<readonly PlannedNode[]>()
  const { bizType, nodes, formFields = [], emptyPolicy, skipsRepeated } = values
  const kindForm = useKindForm(bizType, formFields).filter(({ fieldKind }) => fieldKind !== 'files')
  const fields = fieldsOfForm(kindForm)
  const applicantId = parseId(applicant)
  const isReady =
    bizType !== undefined && emptyPolicy !== undefined && Boolean(nodes?.length) && applicantId > 0
  const run = async (): Promise<void> => {
    if (!bizType || !emptyPolicy || !nodes) return
    const input = {
      bizType,
      nodes,
      formFields,
      emptyPolicy,
      skipsRepeated: skipsRepeated ?? true,
      applicantId,
    }
    setPlanned((await send(tryProcess, { ...input, form: encodeForm(fields, form) })).nodes)
  }
  return (
    <section className="approval-try" aria-label="试算">
      <h3>试算</h3>
      <p>填写样例申请，查看将由谁审批；不会发起申请。</p>
      <label className="labelled">
        <span>申请人</span>
        <RefSelect
          named
          field={applicantField}
          value={applicant}
          onChange={v => setApplicant(String(v ?? ''))}
        />
      </label>
      {Object.entries(fields).map(([key, field]) => (
        <SampleField
          key={key}
          name={key}
          field={field}
          value={form[key]}
          onChange={value => setForm({ ...form, [key]: value })}
        />
      ))}
      <Button disabled={!isReady} onClick={() => void run()}>
        查看审批人
      </Button>
      {planned && <PlannedNodes nodes={planned} />}
    </section>
  )
}
