import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { maskPhone, emptyPlaceholder } from '#kit/contract/text.ts'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { toast } from '#kit/web/toast.ts'
import { getMyAccount } from '../contract/account.ts'
import { managerType } from '../contract/manager.ts'
import { AvatarDialog } from './avatar-dialog.tsx'
import { Devices } from './devices.tsx'
import { BindEmailDialog, UnbindEmailDialog } from './email-dialog.tsx'
import { MobileDialog } from './mobile-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { paths } from './paths.ts'
import './accounts.css'

const BindWechatDialog = lazyComponent(async () => (await import('./wechat-dialog.tsx')).BindWechatDialog)
const UnbindWechatDialog = lazyComponent(async () => (await import('./wechat-dialog.tsx')).UnbindWechatDialog)
const TotpDialog = lazyComponent(async () => (await import('./totp-dialog.tsx')).TotpDialog)

const OwnIdentity = lazyComponent(async () => (await import('./own-identity.tsx')).OwnIdentity)

type Dialog = 'password' | 'mobile' | 'totp' | 'head' | 'wechat' | 'email' | 'unbindEmail'
type OwnAccount = NonNullable<typeof getMyAccount.output.T>

/** The caller's own account: profile, sign-in settings, devices. */
export default function PersonCentre() {
  const query = useCall(getMyAccount, undefined, { quiet: true, project: 0, staleMs: 0 })
  const [open, setOpen] = useState<Dialog>()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const me = query.data
  const close = (): void => setOpen(undefined)
  const done = (text: string): void => {
    close()
    toast.success(text)
    void query.refetch()
  }
  return (
    <div className="sheet-page">
      <Profile account={me} onOpen={setOpen} />
      <SignInSettings account={me} onOpen={setOpen} />
      <Devices />
      {open === 'password' && (
        <PasswordDialog
          loginCode={me.loginCode}
          onClose={close}
          onDone={() => done('密码已修改，其他设备上的登录已退出')}
        />
      )}
      {open === 'mobile' && (
        <MobileDialog onClose={close} onDone={() => done('手机已更换，其他设备上的登录已退出')} />
      )}
      {open === 'totp' && (
        <TotpDialog
          on={me.totpOn}
          onClose={() => {
            close()
            void query.refetch()
          }}
        />
      )}
      {open === 'wechat' &&
        (me.wechatBound ? (
          <UnbindWechatDialog onClose={close} onDone={() => done('微信绑定已解除')} />
        ) : (
          <BindWechatDialog onClose={close} onDone={() => done('微信已绑定')} />
        ))}
      {open === 'email' && <BindEmailDialog onClose={close} onDone={() => done('邮箱已绑定')} />}
      {open === 'unbindEmail' && <UnbindEmailDialog onClose={close} onDone={() => done('邮箱绑定已解除')} />}
      {open === 'head' && <AvatarDialog headImage={me.headImage} onClose={close} onDone={done} />}
    </div>
  )
}

const DialogLink = ({ label, onClick }: { readonly label: string; readonly onClick: () => void }) => (
  <button type="button" className="linkish" onClick={onClick}>
    {label}
  </button>
)

interface ProfileProps {
  readonly account: OwnAccount
  readonly onOpen: (dialog: Dialog) => void
}

/** Who the account is, with its roles and data domain. */
function Profile({ account: me, onOpen }: ProfileProps) {
  const hasPermission = usePermission()
  const renew = useHost().screens.find(paths.renew)
  return (
    <section>
      <h2>我的资料</h2>
      <dl>
        <div>
          <dt>姓名</dt>
          <dd>
            {me.realName}{' '}
            <DialogLink label={me.headImage ? '更换头像' : '上传头像'} onClick={() => onOpen('head')} />
          </dd>
        </div>
        <div>
          <dt>账号</dt>
          <dd>{me.loginCode}</dd>
        </div>
        <div>
          <dt>公司</dt>
          <dd>{me.companyName}</dd>
        </div>
        <div>
          <dt>账号类型</dt>
          <dd>{labelOf(managerType, me.managerType)}</dd>
        </div>
        <div>
          <dt>角色</dt>
          <dd>
            {me.managerType === 'owner'
              ? '不受角色限制'
              : (me.roleNames ?? []).join('、') || emptyPlaceholder}
          </dd>
        </div>
        <div>
          <dt>数据范围</dt>
          <dd>
            {me.allProject
              ? '全部项目'
              : me.projectCodes?.length
                ? `${me.projectCodes.length} 个项目`
                : '未分配项目，请联系管理员'}
          </dd>
        </div>
        <div>
          <dt>公司到期</dt>
          <dd>
            {me.expireDate ?? emptyPlaceholder}{' '}
            {renew && hasPermission(renew.needs) && (
              <button type="button" className="linkish" onClick={() => navigateTo(renew.path)}>
                续费
              </button>
            )}
          </dd>
        </div>
        <div>
          <dt>上次登录</dt>
          <dd>
            {me.lastLoginTime
              ? `${me.lastLoginTime.slice(0, 16)}，${me.lastLoginIp ?? ''}`
              : emptyPlaceholder}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** How the account signs in. */
function SignInSettings({ account: me, onOpen }: ProfileProps) {
  return (
    <section>
      <h2>登录与安全</h2>
      <dl>
        <div>
          <dt>密码</dt>
          <dd>
            {me.passwordTime ? `${me.passwordTime.slice(0, 10)} 设置` : ''}{' '}
            <DialogLink label="修改密码" onClick={() => onOpen('password')} />
          </dd>
        </div>
        <div>
          <dt>手机</dt>
          <dd>
            {me.mobile ? maskPhone(me.mobile) : '未绑定，忘记密码时将无法找回'}{' '}
            <DialogLink label={me.mobile ? '变更手机号' : '绑定手机'} onClick={() => onOpen('mobile')} />
          </dd>
        </div>
        {(me.mailAvailable || me.email) && (
          <div>
            <dt>邮箱</dt>
            <dd>
              {me.email ?? '未绑定'}{' '}
              {me.mailAvailable && (
                <DialogLink label={me.email ? '更换邮箱' : '绑定邮箱'} onClick={() => onOpen('email')} />
              )}{' '}
              {me.email && <DialogLink label="解除绑定" onClick={() => onOpen('unbindEmail')} />}
            </dd>
          </div>
        )}
        <div>
          <dt>动态验证码</dt>
          <dd>
            {me.totpOn ? `已开启，剩余 ${me.recoveryLeft} 个恢复码` : '未开启'}{' '}
            {me.totpOn && me.totpNeeded ? (
              <span className="absent">你的角色要求，不能关闭</span>
            ) : (
              <DialogLink label={me.totpOn ? '关闭' : '开启'} onClick={() => onOpen('totp')} />
            )}
          </dd>
        </div>
        <div>
          <dt>微信</dt>
          <dd>
            {me.wechatBound ? '已绑定' : '未绑定'}{' '}
            <DialogLink label={me.wechatBound ? '解除绑定' : '绑定'} onClick={() => onOpen('wechat')} />
          </dd>
        </div>
        <OwnIdentity />
      </dl>
    </section>
  )
}
