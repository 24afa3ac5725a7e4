import { Button, Select, Switch } from 'antd'
import { useState } from 'react'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { useChosenProject } from '#kit/web/chosen-project.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { usePermission } from '#kit/web/session.ts'
import { listCheckTypes, saveCheckTypes, type VisitorCheckType } from '../contract/check-type.ts'
import { checkType, visitorKind } from '../contract/choices.ts'
import { menu } from '../module.ts'
import './visitors.css'

type Kind = Pick<VisitorCheckType, 'visitorKind' | 'checkType' | 'isEnabled'>

const options = keysOf(checkType).map(value => ({ value, label: labelOf(checkType, value) }))

interface KindTableProps {
  readonly projectCode: string
  readonly stored: readonly Kind[]
}

/** All kinds at once: saved together. */
function KindTable({ projectCode, stored }: KindTableProps) {
  const canEdit = usePermission()(menu.setting.permissions.edit)
  const [kinds, setKinds] = useState(stored)
  const change = (kind: Kind, values: Partial<Kind>): void =>
    setKinds(kinds.map(each => (each === kind ? { ...each, ...values } : each)))
  return (
    <div className="visit-kinds">
      <p>与邀请规则的核验方式合并：任何一方要求的审批都要通过。停用的类别不能邀请。</p>
      <table aria-label="核验类型">
        <thead>
          <tr>
            <th>访客类别</th>
            <th>核验方式</th>
            <th>启用</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map(kind => {
            const label = labelOf(visitorKind, kind.visitorKind)
            return (
              <tr key={kind.visitorKind}>
                <td>{label}</td>
                <td>
                  <Select
                    aria-label={`${label}的核验方式`}
                    options={options}
                    value={kind.checkType}
                    disabled={!canEdit || !kind.isEnabled}
                    onChange={value => change(kind, { checkType: value })}
                  />
                </td>
                <td>
                  <Switch
                    aria-label={`启用${label}`}
                    checked={kind.isEnabled}
                    disabled={!canEdit}
                    onChange={isEnabled => change(kind, { isEnabled })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {canEdit && (
        <Button
          type="primary"
          onClick={() =>
            void sendAndToast(
              saveCheckTypes,
              {
                projectCode,
                kinds: kinds.map(({ visitorKind: kind, checkType: check, isEnabled }) => ({
                  visitorKind: kind,
                  checkType: check,
                  isEnabled,
                })),
              },
              '已保存核验类型',
            )
          }
        >
          保存
        </Button>
      )}
    </div>
  )
}

/** 核验类型: whose consent each kind of visitor needs in the project. */
export function CheckTypes() {
  const projectCode = useChosenProject()
  const kinds = useCall(
    listCheckTypes,
    { projectCode: projectCode ?? '' },
    { quiet: true, staleMs: 0, enabled: projectCode !== undefined },
  )
  if (projectCode === undefined) return <p className="visit-choose">请先在页面上方选择一个项目</p>
  return (
    <Loaded query={kinds} height={320} rows={6}>
      {stored => <KindTable key={projectCode} projectCode={projectCode} stored={stored} />}
    </Loaded>
  )
}
