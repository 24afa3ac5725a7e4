import { lazyComponent } from '#kit/web/lazy-component.tsx'
import type { GuideStep } from '../contract/guide.ts'
import type { StepComponent } from './steps/step.ts'
import { paths } from './paths.ts'

export interface StepDescription {
  readonly purpose: string
  readonly unit: string
  /** Where what the step has made is listed. */
  readonly path: string
  readonly Body: StepComponent
  /** Belongs to the company, not to one project. */
  readonly ofCompany?: boolean
}

export const stepDescriptions: Readonly<Record<GuideStep, StepDescription>> = {
  company: {
    purpose: '联系人、联系电话和地址会印在收据和信函上',
    unit: '项',
    path: paths.company,
    Body: lazyComponent(() => import('./steps/company-step.tsx').then(m => m.CompanyStep)),
    ofCompany: true,
  },
  estate: {
    purpose: '公司管理的小区、写字楼或商场；房间、收费和账单都归属于项目',
    unit: '个',
    path: paths.estates,
    Body: lazyComponent(() => import('./steps/estate-step.tsx').then(m => m.EstateStep)),
    ofCompany: true,
  },
  building: {
    purpose: '按楼号、单元数和层数一次新增；各栋不同的可分几次新增',
    unit: '栋',
    path: paths.buildings,
    Body: lazyComponent(() => import('./steps/building-step.tsx').then(m => m.BuildingStep)),
  },
  room: {
    purpose: '按每层户数批量生成，或从表格导入；面积用于计算物业费',
    unit: '间',
    path: paths.rooms,
    Body: lazyComponent(() => import('./steps/room-step.tsx').then(m => m.RoomStep)),
  },
  resident: {
    purpose: '登记业主或租户，账单由缴费人缴纳；可逐位登记，或从表格导入',
    unit: '位',
    path: paths.residents,
    Body: lazyComponent(() => import('./steps/resident-step.tsx').then(m => m.ResidentStep)),
  },
  fee: {
    purpose: '勾选常用收费项目并填写单价，公式和账期已预设，之后可修改',
    unit: '个',
    path: paths.feeSetting,
    Body: lazyComponent(() => import('./steps/fee-step.tsx').then(m => m.FeeStep)),
  },
  binding: {
    purpose: '把收费标准绑定到房间或车位，从本月 1 日起计费',
    unit: '个',
    path: paths.feeRelations,
    Body: lazyComponent(() => import('./steps/binding-step.tsx').then(m => m.BindingStep)),
  },
  bill: {
    purpose: '核对预览后生成本月账单；生成后可整批撤销',
    unit: '张',
    path: paths.bills,
    Body: lazyComponent(() => import('./steps/bill-step.tsx').then(m => m.BillStep)),
  },
  payment: {
    purpose: '在收银台收一笔款并打印收据',
    unit: '笔',
    path: paths.payments,
    Body: lazyComponent(() => import('./steps/payment-step.tsx').then(m => m.PaymentStep)),
  },
  account: {
    purpose: '为员工开通账号，按岗位授权',
    unit: '位',
    path: paths.managers,
    Body: lazyComponent(() => import('./steps/account-step.tsx').then(m => m.AccountStep)),
    ofCompany: true,
  },
}
