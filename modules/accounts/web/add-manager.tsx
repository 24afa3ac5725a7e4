import { useRef } from 'react'
import { parseId } from '#kit/domain/id.ts'
import { useLocation } from 'react-router'
import type { Field } from '#kit/contract/field.ts'
import { extendShape } from '#kit/contract/shape.ts'
import { invalidField } from '#kit/contract/wire.ts'
import { confirm } from '#kit/web/confirm.tsx'
import type { Control } from '#kit/web/controls/control-kinds.tsx'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { FormPage } from '#kit/web/form/form-page.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { send } from '#kit/web/send.ts'
import { invalidate } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { useTab } from '#kit/web/tab.ts'
import { usePermission, useSession } from '#kit/web/session.ts'
import { useProjects } from '#kit/web/shell/project-switch.tsx'
import { saveDataDomain } from '../contract/data-domain.ts'
import { addManager, type Manager } from '../contract/manager.ts'
import { menu } from '../module.ts'
import { NewPasswordInput } from './public.new-password.tsx'
import {
  DataDomainPicker,
  toDomainInput,
  emptySelection,
  isDomainSelection,
  isEmptySelection,
  proposeSelection,
  type DomainSelection,
} from './data-domain-picker.tsx'

const domainField: Field<DomainSelection, false, 'list'> = {
  kind: 'list',
  label: '数据范围',
  required: false,
}
const formInput = extendShape(addManager.input, { places: domainField })

type ManagerDraft = NonNullable<typeof formInput.T>

const useCanGrantAll = (): boolean => useSession(s => s.signed?.manager.allProject === true)

const DomainControl: Control = props => {
  const canGrantAll = useCanGrantAll()
  return (
    <DataDomainPicker
      value={isDomainSelection(props.value) ? props.value : emptySelection}
      onChange={props.onChange}
      canGrantAll={canGrantAll}
    />
  )
}

/** Somebody without a data domain signs in to empty pages: that is asked back. */
async function confirmDomain(places: DomainSelection | undefined): Promise<void> {
  if (places && !isEmptySelection(places)) return
  const isIntended = await confirm({
    title: '未选择数据范围',
    text: '该账号登录后无法查看任何项目的数据，需在「数据范围」中另行设置。',
    okLabel: '仍然新增',
    cancelLabel: '返回选择',
    isBackSafe: true,
  })
  if (!isIntended) throw invalidField('places', '请选择数据范围')
}

/**
 * A new account with its roles and its reach, in one go; the address may name a role (`?roleId=`). No draft
 * is kept: it holds a password.
 */
export default function AddManager() {
  const tab = useTab()
  const hasPermission = usePermission()
  const made = useRef<Manager>(undefined)
  const canSetDomain = hasPermission(menu.manager.permissions.domain)
  const canGrantAll = useCanGrantAll()
  const { all, current } = useProjects()
  const roleId = parseId(new URLSearchParams(useLocation().search).get('roleId'))
  const save = async (values: ManagerDraft): Promise<Manager> => {
    const { places, ...draft } = values
    if (canSetDomain) {
      await confirmDomain(places)
    }
    // The account was saved although its data domain was refused: saving again only sets the domain.
    made.current ??= await send(addManager, draft, { quiet: true })
    if (places) {
      await send(saveDataDomain, { managerId: made.current.id, ...toDomainInput(places) }, { quiet: true })
    }
    return made.current
  }
  // The form takes its start values once.
  if (!all) return <RowSkeleton rows={6} />
  return (
    <FormPage
      shape={formInput}
      draftKey={draftKeyOf(addManager, 'new')}
      title="新增管理员"
      initial={{
        ...(roleId ? { roleIds: [String(roleId)] } : {}),
        ...(canSetDomain ? { places: proposeSelection(all, current, canGrantAll) } : {}),
      }}
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
            'remark',
          ],
        },
        { title: '角色权限', keys: [{ key: 'roleIds', wide: true, help: '可多选，权限取并集' }] },
        ...(canSetDomain ? [{ title: '数据范围', keys: [{ key: 'places', control: DomainControl }] }] : []),
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
