import { Modal } from 'antd'
import { Loaded } from '#kit/web/loaded.tsx'
import { useCall } from '#kit/web/query.ts'
import { testIdentityProvider } from '../contract/identity-provider.ts'

/** What a test of the connection found, check by check. */
export function IdentityProviderTest({ onClose }: { readonly onClose: () => void }) {
  const query = useCall(testIdentityProvider, undefined, { quiet: true, project: 0, staleMs: 0 })
  return (
    <Modal open title="测试连接" width={560} footer={null} onCancel={onClose}>
      <Loaded query={query} height={160} rows={4}>
        {({ isOk, checks, claims }) => (
          <>
            <p role="status" style={{ paddingBottom: 8 }}>
              {isOk ? '连接正常，可以使用。' : '暂不能使用，请按未通过的项目修改。'}
            </p>
            <table className="changes">
              <tbody>
                {checks.map(({ name, isOk: isPassed, result }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{isPassed ? '通过' : '未通过'}</td>
                    <td style={{ overflowWrap: 'anywhere' }}>{result}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {claims?.length ? <p style={{ paddingTop: 8 }}>身份平台提供的字段：{claims.join('、')}</p> : null}
          </>
        )}
      </Loaded>
    </Modal>
  )
}
