import { paths } from './paths.ts'
import { defined } from '#kit/domain/defined.ts'
import { Button, Checkbox, Select } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import { labelOf } from '#kit/contract/field.ts'
import { monthOf } from '#kit/domain/month.ts'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { today, monthOfPicker } from '#kit/web/date-format.ts'
import { listBuildings } from '#modules/estates/contract/building.ts'
import { feeType, formulaType } from '#modules/fees/contract/choices.ts'
import { getGenerateScope, type RunRequest } from '../contract/run.ts'

export interface ScopeLabels {
  readonly what: string
  readonly items: string
}

interface ScopeStepProps {
  readonly first: RunRequest | undefined
  readonly onNext: (request: RunRequest, labels: ScopeLabels) => void
}

/** Step one: the month, the standards and the buildings to generate bills for. */
export function ScopeStep({ project, ...props }: ScopeStepProps & { readonly project: string | undefined }) {
  const scope = useCall(
    getGenerateScope,
    { projectCode: project ?? '' },
    { enabled: project !== undefined, staleMs: 0 },
  )
  if (!project)
    return (
      <div className="wizard-body">
        <StateMessage text="账单按项目生成，请先在上方选择一个项目" actions={[]} />
      </div>
    )
  if (scope.isPending)
    return (
      <div className="wizard-body">
        <RowSkeleton rows={8} />
      </div>
    )
  if (scope.isError)
    return (
      <div className="wizard-body">
        <ErrorState error={scope.error} onRetry={() => void scope.refetch()} />
      </div>
    )
  if (!scope.data.standards.some(s => s.relations > 0))
    return (
      <div className="wizard-body">
        <StateMessage
          text={
            scope.data.standards.length
              ? '收费标准尚未关联收费对象，关联后才能生成账单'
              : '该项目暂无收费标准'
          }
          actions={[{ label: '新增收费关联', run: () => navigateTo(paths.feeRelations) }]}
        />
      </div>
    )
  return <ScopeForm project={project} scope={scope.data} {...props} key={project} />
}

type GenerateScope = NonNullable<typeof getGenerateScope.output.T>

function ScopeForm({
  project,
  scope: { standards, pending },
  first,
  onNext,
}: ScopeStepProps & { readonly project: string; readonly scope: GenerateScope }) {
  const buildings = useCall(listBuildings, { projectCode: project, size: 500 }).data?.rows ?? []
  const earlier = first?.projectCode === project ? first : undefined
  const [month, setMonth] = useState(earlier?.month ?? monthOf(today()))
  const [standardIds, setStandardIds] = useState<readonly string[] | undefined>(earlier?.standardIds)
  const [buildCodes, setBuildCodes] = useState<readonly string[]>(earlier?.buildCodes ?? [])
  const selectable = standards.filter(s => s.relations > 0)
  const chosen = new Set(standardIds ?? selectable.map(s => String(s.id)))
  const selected = selectable.filter(s => chosen.has(String(s.id)))
  const isEverySelected = selected.length === selectable.length
  const relations = selected.reduce((n, s) => n + s.relations, 0)
  const next = (): void =>
    onNext(
      {
        projectCode: project,
        month,
        ...(isEverySelected ? {} : { standardIds: selected.map(s => String(s.id)) }),
        ...(buildCodes.length ? { buildCodes: [...buildCodes] } : {}),
      },
      {
        what: buildCodes.length
          ? buildings
              .filter(b => buildCodes.includes(defined(b.code)))
              .map(b => b.name)
              .join('、')
          : '全部楼栋',
        items: isEverySelected ? '全部收费项目' : [...new Set(selected.map(s => s.itemName))].join('、'),
      },
    )
  return (
    <>
      <div className="wizard-body">
        <div className="wizard-scope">
          <div className="fields">
            <div>
              <label htmlFor="g-month">账期</label>
              <DatePicker
                id="g-month"
                picker="month"
                allowClear={false}
                value={dayjs(`${month}-01`)}
                onChange={d => {
                  if (d) {
                    setMonth(monthOfPicker(d))
                  }
                }}
                style={{ width: '100%' }}
              />
            </div>
            <div>
              <label htmlFor="g-builds">楼栋</label>
              <Select
                id="g-builds"
                mode="multiple"
                allowClear={allowClear}
                value={[...buildCodes]}
                onChange={setBuildCodes}
                placeholder="全部楼栋"
                showSearch={{ optionFilterProp: 'label' }}
                maxTagCount="responsive"
                style={{ width: '100%' }}
                options={buildings.map(b => ({ value: defined(b.code), label: b.name }))}
              />
            </div>
          </div>
          <StandardTable
            standards={standards}
            selectable={selectable}
            chosen={chosen}
            onChange={setStandardIds}
          />
          <p className="wizard-hint">
            自计费截至日起生成至 {month} 为止的全部账期：未出账的月份一并补出，已有账单的账期不会重复。
            {pending ? '生成后为“待审核”，审核后住户可见。' : '生成后直接生效，不自动通知住户。'}
          </p>
        </div>
      </div>
      <footer className="wizard-foot">
        <span>
          已选 <b>{formatCount(selected.length)}</b> 个标准，<b>{formatCount(relations)}</b> 个收费关联
        </span>
        <span className="spring" />
        <Button
          type="primary"
          disabled={!selected.length}
          title={selected.length ? undefined : '请先勾选收费标准'}
          onClick={next}
        >
          预览账单
        </Button>
      </footer>
    </>
  )
}

type ScopeStandard = NonNullable<typeof getGenerateScope.output.T>['standards'][number]

function StandardTable({
  standards,
  selectable,
  chosen,
  onChange,
}: {
  readonly standards: readonly ScopeStandard[]
  readonly selectable: readonly ScopeStandard[]
  readonly chosen: ReadonlySet<string>
  /** The chosen ids; undefined for all. */
  readonly onChange: (ids: readonly string[] | undefined) => void
}) {
  const selected = selectable.filter(s => chosen.has(String(s.id))).length
  const toggle = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen, id] : [...chosen].filter(other => other !== id))
  return (
    <section>
      <div className="head">
        <h2>收费标准</h2>
        <Checkbox
          checked={selected === selectable.length}
          indeterminate={selected > 0 && selected < selectable.length}
          onChange={e => onChange(e.target.checked ? undefined : [])}
        >
          全选
        </Checkbox>
      </div>
      <table>
        <thead>
          <tr>
            <th style={{ width: 40 }}>
              <span className="aloud">选择</span>
            </th>
            <th>收费项目</th>
            <th>收费标准</th>
            <th>费用类型</th>
            <th>公式类型</th>
            <th className="right">收费关联</th>
            <th>最早计费截至</th>
          </tr>
        </thead>
        <tbody>
          {standards.map(standard => (
            <tr key={standard.id} className={standard.relations ? '' : 'none'}>
              <td>
                <Checkbox
                  aria-label={`选择 ${standard.name}`}
                  disabled={!standard.relations}
                  checked={standard.relations > 0 && chosen.has(String(standard.id))}
                  onChange={e => toggle(String(standard.id), e.target.checked)}
                />
              </td>
              <td>{standard.itemName}</td>
              <td>{standard.name}</td>
              <td>{labelOf(feeType, standard.feeType)}</td>
              <td>{labelOf(formulaType, standard.formulaType)}</td>
              <td className="right figure">
                {standard.relations ? formatCount(standard.relations) : '未关联'}
              </td>
              <td>{standard.billedTo ?? '--'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
