import { Button, Modal } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { maskPhone, emptyPlaceholder } from '#kit/contract/text.ts'
import { ImageUpload } from '#kit/web/controls/image-upload.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-states.tsx'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { session, signIn, usePermission } from '#kit/web/session.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { useHost } from '#kit/web/shell/host.ts'
import { toast } from '#kit/web/toast.ts'
import { getMyAccount, changeAvatar } from '../contract/account.ts'
import { managerType } from '../contract/manager.ts'
import { Devices } from './devices.tsx'
import { MobileDialog } from './mobile-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { TotpDialog } from './totp-dialog.tsx'
import { BindWechatDialog, UnbindWechatDialog } from './wechat-dialog.tsx'
import './accounts.css'

type Dialog = 'password' | 'mobile' | 'totp' | 'head' | 'wechat'

/** One's own account: who, with which roles, how one comes in, where one is signed in. */
export default function PersonCentre() {
  const asked = useCall(getMyAccount, undefined, { quiet: true, project: 0, staleMs: 0 })
  const [open, setOpen] = useState<Dialog>()
  const [head, setHead] = useState<readonly string[]>()
  const may = usePermission()
  const renew = useHost().screens.find('/setting/permission/personcenter/userRenew')
  if (asked.isError) return <ErrorState error={asked.error} onRetry={() => void asked.refetch()} />
  if (!asked.data)
    return (
      <div style={{ position: 'relative', height: 320 }}>
        <RowSkeleton rows={6} />
      </div>
    )
  const me = asked.data
  const close = (): void => setOpen(undefined)
  const done = (words: string): void => {
    close()
    toast.success(words)
    void asked.refetch()
  }
  const saveHead = async (): Promise<void> => {
    const key = head?.[0]
    try {
      await send(changeAvatar, key ? { headImage: key } : {})
    } catch {
      return
    }
    const now = session.getState().signed
    if (now) {
      const { headImage: _, ...rest } = now.manager
      signIn({ ...now, manager: { ...rest, ...(key ? { headImage: key } : {}) } })
    }
    done(key ? '头像已更换' : '头像已移除')
  }
  const link = (words: string, to: Dialog) => (
    <button
      type="button"
      className="linkish"
      onClick={() => {
        if (to === 'head') {
          setHead(me.headImage ? [me.headImage] : [])
        }
        setOpen(to)
      }}
    >
      {words}
    </button>
  )
  return (
    <div className="sheet-page">
      <section>
        <h2>我的资料</h2>
        <dl>
          <div>
            <dt>姓名</dt>
            <dd>
              {me.realName} {link(me.headImage ? '更换头像' : '上传头像', 'head')}
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
              {renew && may(renew.needs) && (
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
      <section>
        <h2>登录与安全</h2>
        <dl>
          <div>
            <dt>密码</dt>
            <dd>
              {me.passwordTime ? `${me.passwordTime.slice(0, 10)} 设置` : ''} {link('修改密码', 'password')}
            </dd>
          </div>
          <div>
            <dt>手机</dt>
            <dd>
              {me.mobile ? maskPhone(me.mobile) : '未绑定，忘记密码时将无法找回'}{' '}
              {link(me.mobile ? '更换手机' : '绑定手机', 'mobile')}
            </dd>
          </div>
          <div>
            <dt>动态验证码</dt>
            <dd>
              {me.totpOn ? `已开启，剩余 ${me.recoveryLeft} 个恢复码` : '未开启'}{' '}
              {me.totpOn && me.totpNeeded ? (
                <span className="absent">你的角色要求，不能关闭</span>
              ) : (
                link(me.totpOn ? '关闭' : '开启', 'totp')
              )}
            </dd>
          </div>
          <div>
            <dt>微信</dt>
            <dd>
              {me.wechatBound ? '已绑定' : '未绑定'} {link(me.wechatBound ? '解除绑定' : '绑定', 'wechat')}
            </dd>
          </div>
        </dl>
      </section>
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
            void asked.refetch()
          }}
        />
      )}
      {open === 'wechat' &&
        (me.wechatBound ? (
          <UnbindWechatDialog onClose={close} onDone={() => done('微信绑定已解除')} />
        ) : (
          <BindWechatDialog onClose={close} onDone={() => done('微信已绑定')} />
        ))}
      {open === 'head' && (
        <Modal
          open
          title="头像"
          width={400}
          onCancel={close}
          footer={
            <div className="form-foot">
              <Button type="primary" onClick={() => void saveHead()}>
                保存
              </Button>
              <Button onClick={close}>取消</Button>
            </div>
          }
        >
          <ImageUpload
            field={{ kind: 'list', label: '头像', required: false }}
            id="head"
            value={head}
            onChange={v => setHead(v as readonly string[] | undefined)}
            onBlur={() => {}}
            disabled={false}
            invalid={false}
            describedBy={undefined}
            formValues={{}}
            nestedFaults={{}}
            maxCount={1}
          />
        </Modal>
      )}
    </div>
  )
}
