import { Button } from 'antd'
import { useState } from 'react'
import { labelOf } from '#kit/contract/field.ts'
import { emptyPlaceholder } from '#kit/contract/text.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { ErrorState, RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { getIdentityProvider, identityMatch, type IdentityProvider } from '../contract/identity-provider.ts'
import { menu } from '../module.ts'
import { paths } from './paths.ts'
import './accounts.css'

const EditIdentityProvider = lazyComponent(
  async () => (await import('./identity-provider-form.tsx')).EditIdentityProvider,
)
const IdentityProviderTest = lazyComponent(
  async () => (await import('./identity-provider-test.tsx')).IdentityProviderTest,
)

const { permissions } = menu.identity

/** 统一身份认证: the provider by which the company's staff may sign in. */
export default function IdentityProviderPage() {
  const query = useCall(getIdentityProvider, undefined, { quiet: true, project: 0 })
  const hasPermission = usePermission()
  const [open, setOpen] = useState<'edit' | 'test'>()
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data)
    return (
      <div style={{ position: 'relative', height: 240 }}>
        <RowSkeleton rows={5} />
      </div>
    )
  const { provider, hasSecret } = query.data
  const close = (): void => setOpen(undefined)
  return (
    <div className="sheet-page">
      <section>
        <h2>
          统一身份认证
          <small>{provider?.isEnabled ? '已启用' : '未启用'}</small>
          <span className="spring" />
          {provider && hasPermission(permissions.test) && (
            <Button onClick={() => setOpen('test')}>测试连接</Button>
          )}
          {hasPermission(permissions.edit) && (
            <Button type="primary" onClick={() => setOpen('edit')}>
              {provider ? '修改设置' : '填写设置'}
            </Button>
          )}
        </h2>
        <p className="lead">
          员工可用公司的身份平台（OpenID
          Connect）登录，账号密码照常可用。不会自动新增账号：本人在「个人中心」绑定，或由管理员在「身份绑定」中绑定。
        </p>
        {provider && <ProviderFacts provider={provider} hasSecret={hasSecret} />}
      </section>
      {provider && <ProviderAddresses provider={provider} />}
      {open === 'test' && <IdentityProviderTest onClose={close} />}
      {open === 'edit' && (
        <EditIdentityProvider
          provider={provider}
          onClose={close}
          onDone={() => {
            close()
            toast.success('统一身份认证设置已保存')
            void query.refetch()
          }}
        />
      )}
    </div>
  )
}

const Fact = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd style={{ overflowWrap: 'anywhere' }}>{value}</dd>
  </div>
)

interface ProviderFactsProps {
  readonly provider: IdentityProvider
  readonly hasSecret: boolean
}

const ProviderFacts = ({ provider, hasSecret }: ProviderFactsProps) => (
  <dl>
    <Fact label="签发者地址" value={provider.issuer} />
    <Fact label="客户端编号" value={provider.clientId} />
    <Fact label="客户端密钥" value={hasSecret ? '已保存' : emptyPlaceholder} />
    <Fact label="授权范围" value={provider.scopes} />
    <Fact label="身份字段" value={provider.identityClaim} />
    <Fact label="自动绑定" value={labelOf(identityMatch, provider.matchBy)} />
    <Fact label="按钮文字" value={provider.buttonText} />
    <Fact label="退出" value={provider.endsSession ? '同时退出身份平台' : '只退出本系统'} />
  </dl>
)

/** What is registered at the provider, and what staff open. */
const ProviderAddresses = ({ provider: { siteUrl, pageKey } }: { readonly provider: IdentityProvider }) => (
  <section>
    <h2>地址</h2>
    <div className="sign-in-links">
      {[
        ['回调地址', `${siteUrl}${paths.identityReturn}`],
        ['退出后返回地址', `${siteUrl}${paths.login}`],
        ['员工登录地址', `${siteUrl}${paths.login}?company=${pageKey}`],
      ].map(([label, address]) => (
        <div key={label}>
          <span>{label}</span>
          <code>{address}</code>
        </div>
      ))}
    </div>
    <p className="lead">
      前两个登记在身份平台。只有一家公司时，登录页直接显示按钮；有几家公司时，员工从「员工登录地址」进入，浏览器会记住。
    </p>
  </section>
)
