import { Button } from 'antd'
import { useState } from 'react'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { editCompany, getMyCompany, resetAppSecret } from '../contract/company.ts'
import { captchaAfterFailures, lockAfterFailures, lockMinutes } from '../domain/login-attempts.ts'
import { menu } from '../module.ts'
import { CurrentPasswordControl } from './current-password-control.tsx'
import './accounts.css'

/** How people come in: the idle limit, what always holds, and the key pair for other systems. */
export default function Security() {
  const query = useCall(getMyCompany, undefined, { quiet: true, project: 0 })
  const hasPermission = usePermission()
  const [open, setOpen] = useState<'idle' | 'secret'>()
  const [newSecret, setNewSecret] = useState<{ appKey: string; appSecret: string }>()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} />
      </div>
    )
  const profile = query.data
  const close = (): void => setOpen(undefined)
  return (
    <div className="sheet-page">
      <section>
        <h2>登录</h2>
        <dl>
          <div>
            <dt>自动退出</dt>
            <dd>
              无操作 {profile.idleMinutes} 分钟后自动退出{' '}
              {hasPermission(menu.company.permissions.edit) && (
                <button type="button" className="linkish" onClick={() => setOpen('idle')}>
                  修改
                </button>
              )}
            </dd>
          </div>
          <div>
            <dt>密码</dt>
            <dd>6 到 15 个字符，至少两类；首次登录必须修改</dd>
          </div>
          <div>
            <dt>连续输错</dt>
            <dd>
              {captchaAfterFailures} 次后需要图形验证码，{lockAfterFailures} 次锁定 {lockMinutes} 分钟
            </dd>
          </div>
          <div>
            <dt>动态验证码</dt>
            <dd>每个账号可在「个人中心」开启；角色可以要求二次验证，未绑定的人登录后先绑定</dd>
          </div>
        </dl>
      </section>
      <section>
        <h2>
          其他系统单点登录
          <span className="spring" />
          {hasPermission(menu.company.permissions.secret) && (
            <Button onClick={() => setOpen('secret')}>{profile.appKey ? '重置密钥' : '生成密钥'}</Button>
          )}
        </h2>
        <p className="lead">
          公司的其他系统凭 AppKey 和 AppSecret 接入后，员工在该系统点击即可进入本系统。每次登录凭证 5
          分钟内有效，仅限使用一次。
        </p>
        <dl>
          <div>
            <dt>AppKey</dt>
            <dd>{profile.appKey ?? <span className="absent">--</span>}</dd>
          </div>
        </dl>
        {newSecret && (
          <div className="once" role="status">
            AppSecret 只显示这一次，请立即保存：
            <br />
            <code>{newSecret.appSecret}</code>
          </div>
        )}
      </section>
      {open === 'idle' && (
        <EditDialog
          shape={editCompany.input}
          draftKey={undefined}
          title="自动退出"
          initial={profile}
          groups={[{ keys: ['idleMinutes'] }]}
          save={v => sendAndInvalidate(editCompany, { ...profile, ...v }, { quiet: true })}
          loadCurrent={async () => await send(getMyCompany, undefined)}
          onClose={close}
          onDone={() => {
            close()
            toast.success('已保存，下次登录起生效')
            void query.refetch()
          }}
        />
      )}
      {open === 'secret' && (
        <EditDialog
          shape={resetAppSecret.input}
          draftKey={undefined}
          title={profile.appKey ? '重置密钥' : '生成密钥'}
          submitLabel={profile.appKey ? '重置密钥' : '生成密钥'}
          groups={[
            {
              keys: [
                {
                  key: 'password',
                  control: CurrentPasswordControl,
                  help: profile.appKey ? '原密钥立即失效，其他系统须更换为新密钥' : '确认是你本人',
                },
              ],
            },
          ]}
          save={v => send(resetAppSecret, v, { quiet: true })}
          onClose={close}
          onDone={a => {
            close()
            setNewSecret(a)
            void query.refetch()
          }}
        />
      )}
    </div>
  )
}
