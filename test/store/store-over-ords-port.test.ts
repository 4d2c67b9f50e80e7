import { storeCasesOver } from './store-targets.ts';

storeCasesOver('ords-port');
