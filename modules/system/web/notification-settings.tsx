import { Button, Checkbox, Switch } from 'antd'
import dayjs from 'dayjs'
import { useContext, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { TimePicker } from '#kit/web/date-picker.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { HostContext } from '#kit/web/shell/host.ts'
import { useUnsaved } from '#kit/web/tab.ts'
import { toast } from '#kit/web/toast.ts'
import {
  getNotificationSetting,
  notificationGroup,
  saveNotificationSetting,
} from '../contract/notification.ts'
import { paths } from './paths.ts'
import './notifications.css'

const without = (set: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set([...set].filter(each => each !== key))

const MailNote = ({ email }: { readonly email: string | undefined }) => (
  <p className="lead">
    {email === undefined ? (
      <>
        绑定邮箱后可以选择同时发送邮件的消息，请在
        <Link to={paths.personCentre} style={{ textDecoration: 'underline' }}>
          个人中心
        </Link>
        绑定。
      </>
    ) : (
      `选择「邮件」的消息同时发送到 ${email}，免打扰时段内的在时段结束后发送。`
    )}
  </p>
)

/** Work orders of others come to those whom the company names; their own settings say of what. */
function OrderNotifies() {
  const host = useContext(HostContext)
  if (!host?.screens.find(paths.orderSettings)) return null
  return (
    <section>
      <h2>工单通知人</h2>
      <p className="lead">
        与本人无关的工单，按事项、项目与类型通知指定的人员，请在
        <Link to={`${paths.orderSettings}?tab=notifies`}>工单设置</Link>
        中维护。
      </p>
    </section>
  )
}

interface KindRowProps {
  readonly kind: { readonly name: string; readonly mandatory: boolean }
  readonly isOn: boolean
  /** Undefined where nothing can be sent by e-mail. */
  readonly isMailed: boolean | undefined
  readonly onSwitch: (on: boolean) => void
  readonly onMail: (on: boolean) => void
}

const KindRow = ({ kind, isOn, isMailed, onSwitch, onMail }: KindRowProps) => (
  <li>
    <span>{kind.name}</span>
    {kind.mandatory && <small>必须接收，不能关闭</small>}
    {isMailed !== undefined && (
      <Checkbox
        checked={isMailed && isOn}
        disabled={!isOn}
        aria-label={`${kind.name}同时发送邮件`}
        onChange={e => onMail(e.target.checked)}
      >
        邮件
      </Checkbox>
    )}
    <Switch checked={isOn} disabled={kind.mandatory} aria-label={kind.name} onChange={onSwitch} />
  </li>
)

/** What one hears of, and in which hours the bell is silent. */
export default function NotificationSettings() {
  const query = useCall(getNotificationSetting, undefined, { quiet: true, project: 0, staleMs: 0 })
  const [off, setOff] = useState<ReadonlySet<string>>()
  const [mailed, setMailed] = useState<ReadonlySet<string>>(new Set())
  const [quiet, setQuiet] = useState<readonly [string, string]>()
  const [busy, setBusy] = useState(false)
  const [dirty, setDirty] = useState(false)
  useEffect(() => {
    if (query.data && !dirty) {
      setOff(new Set(query.data.kinds.filter(k => !k.on).map(k => k.kind)))
      setMailed(new Set(query.data.kinds.filter(k => k.mail).map(k => k.kind)))
      setQuiet(
        query.data.quietFrom && query.data.quietTo ? [query.data.quietFrom, query.data.quietTo] : undefined,
      )
    }
  }, [query.data])
  useUnsaved(dirty)
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data || !off)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const { email, mailAvailable } = query.data
  const canMail = mailAvailable && email !== undefined
  const setEnabled = (kind: string, on: boolean): void => {
    setOff(on ? without(off, kind) : new Set([...off, kind]))
    setDirty(true)
  }
  const setMail = (kind: string, on: boolean): void => {
    setMailed(on ? new Set([...mailed, kind]) : without(mailed, kind))
    setDirty(true)
  }
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      await sendAndInvalidate(saveNotificationSetting, {
        off: [...off],
        ...(canMail ? { mailed: [...mailed] } : {}),
        ...(quiet ? { quietFrom: quiet[0], quietTo: quiet[1] } : {}),
      })
      setDirty(false)
      toast.success('通知设置已保存')
      void query.refetch()
    } catch {
      /* shown where it failed */
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="sheet-page notice-settings">
      <section>
        <h2>
          免打扰
          <span className="spring" />
          <Button type="primary" loading={busy} disabled={!dirty} onClick={() => void save()}>
            保存
          </Button>
        </h2>
        <p className="lead">免打扰时段内消息照常收入，时段结束后一并提醒。必须接收的消息随时提醒。</p>
        {mailAvailable && <MailNote email={email} />}
        <div className="quiet">
          <label>
            <Switch
              checked={quiet !== undefined}
              aria-label="开启免打扰"
              onChange={on => {
                setQuiet(on ? ['22:00', '07:00'] : undefined)
                setDirty(true)
              }}
            />
            每天
          </label>
          <TimePicker.RangePicker
            order={false}
            format="HH:mm"
            minuteStep={5}
            disabled={!quiet}
            allowClear={false}
            needConfirm={false}
            value={quiet ? [dayjs(quiet[0], 'HH:mm'), dayjs(quiet[1], 'HH:mm')] : null}
            onChange={(_, text) => {
              if (text?.[0] && text[1]) {
                setQuiet([text[0], text[1]])
                setDirty(true)
              }
            }}
          />
        </div>
      </section>
      {keysOf(notificationGroup).map(group => {
        const kinds = query.data.kinds.filter(k => k.noticeGroup === group)
        return (
          kinds.length > 0 && (
            <section key={group}>
              <h2>{labelOf(notificationGroup, group)}</h2>
              <ul>
                {kinds.map(kind => (
                  <KindRow
                    key={kind.kind}
                    kind={kind}
                    isOn={kind.mandatory || !off.has(kind.kind)}
                    isMailed={canMail ? mailed.has(kind.kind) : undefined}
                    onSwitch={on => setEnabled(kind.kind, on)}
                    onMail={on => setMail(kind.kind, on)}
                  />
                ))}
              </ul>
            </section>
          )
        )
      })}
      <OrderNotifies />
    </div>
  )
}
