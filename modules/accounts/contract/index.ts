import { declareContract } from '#kit/contract/module-contract.ts'
import * as account from './account.ts'
import * as company from './company.ts'
import * as companyExport from './company-export.ts'
import * as credentialFields from './credential-fields.ts'
import * as dataDomain from './data-domain.ts'
import * as devices from './devices.ts'
import * as email from './email.ts'
import * as identityProvider from './identity-provider.ts'
import * as identitySignIn from './identity-sign-in.ts'
import * as manager from './manager.ts'
import * as managerIdentity from './manager-identity.ts'
import * as operationLog from './operation-log.ts'
import * as permission from './permission.ts'
import * as printSettings from './print-settings.ts'
import * as qrLogin from './qr-login.ts'
import * as role from './role.ts'
import * as secondFactor from './second-factor.ts'
import * as signIn from './sign-in.ts'
import * as smsCode from './sms-code.ts'
import * as wechatBinding from './wechat-binding.ts'

export const contract = declareContract(
  account,
  company,
  companyExport,
  credentialFields,
  dataDomain,
  devices,
  email,
  identityProvider,
  identitySignIn,
  manager,
  managerIdentity,
  operationLog,
  permission,
  printSettings,
  qrLogin,
  role,
  secondFactor,
  signIn,
  smsCode,
  wechatBinding,
)
