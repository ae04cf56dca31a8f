#include "aten/tables/tables.h"

namespace tritonsmith::aten {

// What looks at whole rows: extremes, orders, counts, running sums.
const std::string_view kReductions = R"(
all                   [-,dim,dims,out,dims_out,all_out] exact lint:computes
amax                  [-,out] exact maximum lint:computes lint:method
amin                  [-,out] exact magnitude:smaller lint:computes lint:method
aminmax               [-,out] exact lint:computes
any                   [-,dim,dims,out,dims_out,all_out] exact lint:computes
argmax                [-,out] chooses lint:computes lint:method
argmin                [-,out] chooses lint:computes lint:method
argsort               [-,stable,stable_out] chooses ties lint:computes
bincount              [-] exact lint:computes
bucketize             [Tensor,Scalar,Tensor_out,Scalar_out] rounds lint:computes
corrcoef              [-]
count_nonzero         [dim_IntList,dim_IntList_out,-,out] lint:computes
cov                   [-]
cummax                [-,out] chooses maximum lint:computes
cummin                [-,out] chooses lint:computes
cumprod_              [-]
cumulative_trapezoid  [x,dx]
diff                  [-,out] lint:computes
gradient              [scalarint,scalararray,array,scalarrayint,scalarrayarray,tensorarrayint,tensorarray]
histc                 [-,out] rounds lint:computes
histogram             [bins_tensor,bins_tensor_out,bin_ct,bin_ct_out]
_is_all_true          [-]
_is_any_true          [-]
kthvalue              [-,values] chooses ties lint:computes
max                   [other,-,dim,dim_max,unary_out,out] exact maximum lint:computes lint:method
median                [-,dim,dim_values,out] chooses ties lint:computes
min                   [other,-,dim,dim_min,unary_out,out] exact magnitude:smaller lint:computes lint:method
mode                  [-,values] chooses ties lint:computes
msort                 [-,out] chooses ties
nan_to_num            [-,out] exact lint:computes
nan_to_num_           [-]
nanmean               [-,out] lint:computes
nanmedian             [-,dim,dim_values,out] chooses ties
nanquantile           [-,scalar,out,scalar_out]
nonzero               exact
quantile              [-,scalar,out,scalar_out] lint:computes
searchsorted          [Tensor,Tensor_out,Scalar,Scalar_out] rounds lint:computes
sort                  [-,stable,values_stable,values] chooses ties lint:computes
sum_to_size           [-]
topk                  [-,values] chooses ties lint:computes lint:method
trapezoid             [x,dx]
trapz                 [x,dx]
)";

}  // namespace tritonsmith::aten
