import { toError } from '#kit/domain/to-error.ts'
import { Button, Drawer } from 'antd'
import { useEffect, useState } from 'react'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { getMyAccount } from '../contract/account.ts'
import { getDataDomain, saveDataDomain } from '../contract/data-domain.ts'
import type { Manager } from '../contract/manager.ts'
import {
  DataDomainPicker,
  toDomainInput,
  fromDomainOutput,
  emptySelection,
  type DomainSelection,
} from './data-domain-picker.tsx'

/** Where somebody may work; takes effect at once, also for open sessions. */
export function DataDomainDrawer({ of, onClose }: { readonly of: Manager; readonly onClose: () => void }) {
  const query = useCall(getDataDomain, { managerId: of.id }, { quiet: true, staleMs: 0 })
  const me = useCall(getMyAccount, undefined, { quiet: true, project: 0 })
  const [value, setValue] = useState<DomainSelection>(emptySelection)
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const [why, setWhy] = useState<string>()
  useEffect(() => {
    if (query.data && !dirty) {
      setValue(fromDomainOutput(query.data))
    }
  }, [query.data])
  const save = async (): Promise<void> => {
    setBusy(true)
    setWhy(undefined)
    try {
      await sendAndToast(
        saveDataDomain,
        { managerId: of.id, ...toDomainInput(value) },
        `已设置「${of.realName}」的数据范围，立即生效`,
        { quiet: true },
      )
      onClose()
    } catch (e) {
      setBusy(false)
      setWhy(toError(e).message)
    }
  }
  const foot = leaving ? (
    <div className="form-foot" role="alertdialog" aria-label="有未保存的修改">
      <span>有未保存的修改</span>
      <span className="spring" />
      <Button danger onClick={onClose}>
        放弃
      </Button>
      <Button type="primary" autoFocus onClick={() => setLeaving(false)}>
        继续编辑
      </Button>
    </div>
  ) : (
    <div className="form-foot">
      <Button type="primary" loading={busy} disabled={!query.data} onClick={() => void save()}>
        保存
      </Button>
      <Button disabled={busy} onClick={() => (dirty ? setLeaving(true) : onClose())}>
        取消
      </Button>
    </div>
  )
  return (
    <Drawer
      open
      size={innerWidth < 760 ? '100%' : 640}
      title={`「${of.realName}」的数据范围`}
      footer={foot}
      onClose={() => (dirty ? setLeaving(true) : onClose())}
      mask={{ closable: false }}
    >
      <p style={{ paddingBottom: 12 }}>设置可查看、可操作的项目和楼栋。不选则无法查看任何项目。</p>
      {why && (
        <div className="form-band bad" role="alert">
          <span>{why}</span>
        </div>
      )}
      <Loaded query={query} height={240} rows={5}>
        {() => (
          <DataDomainPicker
            value={value}
            onChange={v => {
              setValue(v)
              setDirty(true)
            }}
            canGrantAll={me.data?.allProject === true}
          />
        )}
      </Loaded>
    </Drawer>
  )
}
