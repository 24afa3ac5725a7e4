import { useState } from 'react'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import type { Id } from '#kit/domain/id.ts'
import { Button } from 'antd'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog, permissionOf } from '#kit/web/form/use-edit.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { Empty } from '#kit/web/page-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { orderStage, warningChannel, warningReceiver } from '../contract/choices.ts'
import { getTimeWarnings, setTimeWarnings, type TimeWarning } from '../contract/settings.ts'
import { formatMinutes } from './time-left.ts'
import './settings.css'

const timeText = ({ stage, offsetMinutes }: TimeWarning): string => {
  const name = `${labelOf(orderStage, stage)}时限`
  if (offsetMinutes === 0) return `${name}到期时`
  return offsetMinutes < 0
    ? `${name}到期前 ${formatMinutes(-offsetMinutes)}`
    : `${name}超时 ${formatMinutes(offsetMinutes)} 后`
}

const names = <T extends string>(all: readonly T[], nameOf: (one: T) => string): string =>
  all.map(nameOf).join('、')

interface TypeGroup {
  readonly typeId: Id
  readonly typeName: string
  readonly warnings: readonly TimeWarning[]
}

const groupByType = (rows: readonly TimeWarning[]): TypeGroup[] =>
  [...Map.groupBy(rows, row => row.typeId ?? 0)].map(([typeId, warnings]) => ({
    typeId,
    typeName: typeId === 0 ? '全部类型' : (warnings[0]?.typeName ?? ''),
    warnings,
  }))

const stageOrder: readonly ChoiceOf<typeof orderStage>[] = ['response', 'arrive', 'finish', 'evaluate']

const inOrder = (warnings: readonly TimeWarning[]): TimeWarning[] =>
  warnings.toSorted(
    (a, b) => stageOrder.indexOf(a.stage) - stageOrder.indexOf(b.stage) || a.offsetMinutes - b.offsetMinutes,
  )

/** 时效预警: whom to warn when, for all types and for single ones (WO-4). */
export function WarningSettings() {
  const warnings = useCall(getTimeWarnings, {}, { quiet: true, staleMs: 0 })
  const [edited, setEdited] = useState<TypeGroup | 'new'>()
  const canEdit = usePermission()(permissionOf(setTimeWarnings))
  const isNew = edited === 'new'
  return (
    <div className="warning-settings">
      {canEdit && (
        <div>
          <Button type="primary" onClick={() => setEdited('new')}>
            设置类型的预警
          </Button>
        </div>
      )}
      <Loaded query={warnings} height={300} rows={6} keepsAnswer>
        {rows =>
          rows.length ? (
            groupByType(rows).map(group => (
              <section key={group.typeId}>
                <header>
                  <h3>{group.typeName}</h3>
                  {canEdit && (
                    <button type="button" className="linkish" onClick={() => setEdited(group)}>
                      编辑
                    </button>
                  )}
                </header>
                <ul>
                  {inOrder(group.warnings).map(row => (
                    <li key={row.id}>
                      <span>{timeText(row)}</span>
                      <span>
                        {names(row.receivers, one => labelOf(warningReceiver, one))}
                        {'，'}
                        {names(row.channels, one => labelOf(warningChannel, one))}
                      </span>
                    </li>
                  ))}
                </ul>
              </section>
            ))
          ) : (
            <Empty text="暂无时效预警" />
          )
        }
      </Loaded>
      {edited && (
        <EditDialog
          shape={setTimeWarnings.input}
          draftKey={draftKeyOf(setTimeWarnings, isNew ? 'new' : (edited.typeId ?? 'all'))}
          title={isNew ? '设置时效预警' : `时效预警：${edited.typeName}`}
          groups={[
            {
              keys: isNew
                ? ['typeId', 'warnings']
                : [{ key: 'warnings', help: '负数为到期之前；全部删除即不预警' }],
            },
          ]}
          initial={
            isNew
              ? {}
              : {
                  ...(edited.typeId ? { typeId: edited.typeId } : {}),
                  warnings: inOrder(edited.warnings).map(({ stage, offsetMinutes, receivers, channels }) => ({
                    stage,
                    offsetMinutes,
                    receivers,
                    channels,
                  })),
                }
          }
          presentation="drawer"
          save={values => sendAndInvalidate(setTimeWarnings, values, { quiet: true })}
          onClose={() => setEdited(undefined)}
          onDone={() => {
            setEdited(undefined)
            toast.success('已保存时效预警')
          }}
        />
      )}
    </div>
  )
}
