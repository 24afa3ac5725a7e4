import { useRef } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { useLocation } from 'react-router'
import type { Field } from '#kit/contract/field.ts'
import { extendShape } from '#kit/contract/shape.ts'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { send } from '#kit/web/send.ts'
import { invalidate, useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useTab } from '#kit/web/tab.ts'
import { usePermission } from '#kit/web/session.ts'
import { getMyAccount } from '../contract/account.ts'
import { saveDataDomain } from '../contract/data-domain.ts'
import { addManager, type Manager } from '../contract/manager.ts'
import { menu } from '../module.ts'
import { NewPasswordInput } from './new-password.tsx'
import {
  DataDomainPicker,
  toDomainInput,
  emptySelection,
  isDomainSelection,
  type DomainSelection,
} from './data-domain-picker.tsx'

const domainField: Field<DomainSelection, false, 'list'> = {
  kind: 'list',
  label: '数据范围',
  required: false,
}
const formInput = extendShape(addManager.input, { places: domainField })

type ManagerDraft = NonNullable<typeof formInput.T>

const DomainControl: Control = props => {
  const me = useCall(getMyAccount, undefined, { quiet: true, project: 0 })
  return (
    <DataDomainPicker
      value={isDomainSelection(props.value) ? props.value : emptySelection}
      onChange={props.onChange}
      canGrantAll={me.data?.allProject === true}
    />
  )
}

/**
 * A new account with its roles and its reach, in one go; the address may name a role (`?roleId=`). No draft
 * is kept: it holds a password.
 */
export default function AddManager() {
  const tab = useTab()
  const hasPermission = usePermission()
  const made = useRef<Manager>(undefined)
  const roleId = parseId(new URLSearchParams(useLocation().search).get('roleId'))
  const save = async (values: ManagerDraft): Promise<Manager> => {
    const { places, ...draft } = values
    // The account stands although its reach was refused: saving again only sets the reach.
    made.current ??= await send(addManager, draft, { quiet: true })
    if (places) {
      await send(saveDataDomain, { managerId: made.current.id, ...toDomainInput(places) }, { quiet: true })
    }
    return made.current
  }
  return (
    <FormPage
      shape={formInput}
      draftKey={draftKeyOf(addManager, 'new')}
      title="新增管理员"
      {...(roleId ? { initial: { roleIds: [String(roleId)] } } : {})}
      submitLabel="新增管理员"
      groups={[
        {
          title: '账号',
          keys: [
            'loginCode',
            { key: 'password', control: NewPasswordInput, help: '请告知本人，首次登录须修改' },
            'realName',
            'mobile',
            'managerType',
            'showPrivacy',
            { key: 'remark', wide: true },
          ],
        },
        { title: '角色权限', keys: [{ key: 'roleIds', wide: true, help: '可以选多个角色，权限合并计算' }] },
        ...(hasPermission(menu.manager.permissions.domain)
          ? [{ title: '数据范围', keys: [{ key: 'places', control: DomainControl, wide: true }] }]
          : []),
      ]}
      save={v => save(v)}
      onDone={a => {
        void invalidate(['manager', 'role'])
        toast.success(`已新增「${a.realName}」`)
        tab.close()
      }}
    />
  )
}
