import type { Nameplate } from '#kit/contract/module.ts'
import { plate as accounts } from './accounts/module.ts'
import { plate as bills } from './bills/module.ts'
import { plate as companies } from './companies/module.ts'
import { plate as deposits } from './deposits/module.ts'
import { plate as estates } from './estates/module.ts'
import { plate as feeReports } from './fee-reports/module.ts'
import { plate as fees } from './fees/module.ts'
import { plate as invoices } from './invoices/module.ts'
import { plate as merchants } from './merchants/module.ts'
import { plate as meters } from './meters/module.ts'
import { plate as parking } from './parking/module.ts'
import { plate as payments } from './payments/module.ts'
import { plate as products } from './products/module.ts'
import { plate as prestore } from './prestore/module.ts'
import { plate as reconcile } from './reconcile/module.ts'
import { plate as residents } from './residents/module.ts'
import { plate as rooms } from './rooms/module.ts'
import { plate as staff } from './staff/module.ts'
import { plate as system } from './system/module.ts'

/** Every module of the product, in menu order: the only list. */
export const modules: readonly Nameplate[] = [
  estates,
  rooms,
  residents,
  companies,
  merchants,
  parking,
  fees,
  meters,
  bills,
  payments,
  reconcile,
  prestore,
  deposits,
  invoices,
  feeReports,
  staff,
  accounts,
  products,
  system,
]
