import { declareContract } from '#kit/contract/module-contract.ts'
import * as building from './building.ts'
import * as estate from './estate.ts'
import * as publicArea from './public-area.ts'

export const contract = declareContract(building, estate, publicArea)
