import { useState } from 'react'
import { choice, choiceTable, int } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { toast } from '#kit/web/toast.ts'
import { nameSuffixes, plannedBuildingNames, abbreviateNames } from '../../domain/building-plan.ts'
import { addBuildings } from '../actions.ts'
import { InlineForm } from '#kit/web/form/inline-form.tsx'
import type { StepProps } from './step.ts'

const suffix = choiceTable('BuildingSuffix', '名称', {
  block: [1, nameSuffixes[0]],
  number: [2, nameSuffixes[1]],
  tower: [3, nameSuffixes[2]],
})

const maxBuildings = 50

const input = shape({
  from: int('起始楼号', { required: true, min: 1, max: 999, initial: 1 }),
  to: int('终止楼号', { required: true, min: 1, max: 999, initial: 1 }),
  suffix: choice('名称', suffix, { required: true, initial: 'block' }),
  units: int('每栋单元数', { required: true, min: 1, max: 50, initial: 1 }),
  floors: int('每单元层数', { required: true, min: 1, max: 200, initial: 6 }),
})

type BuildingInput = NonNullable<typeof input.T>

const initial = { from: 1, to: 1, suffix: 'block', units: 1, floors: 6 } as const
const groups = [{ keys: ['from', 'to', { key: 'suffix', wide: false }, 'units', 'floors'] }]

const namesOf = ({ from, to, suffix: called }: Pick<BuildingInput, 'from' | 'to' | 'suffix'>): string[] =>
  plannedBuildingNames({ from, to, suffix: suffix.rows[called][1] })

const rules = ({ from, to }: BuildingInput) => {
  if (to < from) return { to: '不能小于起始楼号' }
  return to - from >= maxBuildings ? { to: `一次最多 ${maxBuildings} 栋` } : undefined
}

const isComplete = (v: Partial<BuildingInput>): v is BuildingInput =>
  [v.from, v.to, v.units, v.floors].every(n => typeof n === 'number') && v.suffix !== undefined

function PlannedBuildings({ values }: { readonly values: Partial<BuildingInput> }) {
  if (!isComplete(values) || rules(values)) return null
  const names = namesOf(values)
  return (
    <p className="step-preview" role="status">
      将新增「{abbreviateNames(names)}」，共 {names.length} 栋，每栋 {values.units} 个单元、{values.floors}{' '}
      层；同名楼栋保持原样
    </p>
  )
}

export function BuildingStep({ projectCode, onDone }: StepProps) {
  const [progress, setProgress] = useState('')
  return (
    <InlineForm
      shape={input}
      groups={groups}
      initial={initial}
      rules={rules}
      draftKey={`guide/building/${projectCode}`}
      submitLabel="新增楼栋"
      below={values => <PlannedBuildings values={values} />}
      save={async values => {
        const added = await addBuildings(
          { ...values, projectCode, suffix: suffix.rows[values.suffix][1] },
          (done, total) => setProgress(`${done} / ${total}`),
        )
        setProgress('')
        return added
      }}
      onDone={added => {
        toast.success(added ? `已新增 ${added} 栋楼` : '这些楼栋均已存在')
        onDone(true)
      }}
      extraContent={progress && <span className="step-note">{progress}</span>}
    />
  )
}
