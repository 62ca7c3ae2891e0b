// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Owned.sol";
import {IERC20, SafeMath as Math} from "./token/IERC20.sol";

interface IOracle {
    function price(address token) external view returns (uint256);
}

library Shares {
    function toShares(uint256 amount, uint256 rate) internal pure returns (uint256 shares) {
        shares = (amount * 1e18) / rate;
    }
}

error Insufficient(uint256 wanted, uint256 available);

abstract contract Pausable {
    bool public paused;

    modifier whenOpen() {
        require(!paused, "paused");
        _;
    }

    function _pause() internal virtual;
}

contract Vault is Owned, Pausable {
    using Shares for uint256;

    enum State { Open, Frozen, Closed }

    struct Position {
        uint128 amount;
        uint64 since;
        address owner;
    }

    event Deposited(address indexed from, uint256 amount, bytes32 memo);

    uint256 public constant FEE = 30;
    IERC20 private immutable token;
    mapping(address => mapping(uint256 => Position)) internal positions;
    address[] public holders;
    State public state = State.Open;
    uint256[3] private rates = [1, 2, 3];

    constructor(IERC20 _token, string memory name) Owned(msg.sender) {
        token = _token;
        emit Named(name);
    }

    receive() external payable {}

    fallback() external payable {
        revert("no data");
    }

    modifier only(State wanted) {
        if (state != wanted) revert Insufficient({wanted: 1, available: 0});
        _;
    }

    function deposit(uint256 amount, bytes calldata memo) external payable whenOpen only(State.Open) returns (uint256) {
        require(amount > 0 && amount <= type(uint128).max, "amount");
        Position storage position = positions[msg.sender][block.number];
        position.amount += uint128(amount);
        position.since = uint64(block.timestamp);
        if (position.owner == address(0)) {
            position.owner = msg.sender;
            holders.push(msg.sender);
        } else {
            delete position.since;
        }
        bool ok = token.transferFrom(msg.sender, address(this), amount);
        assert(ok);
        emit Deposited(msg.sender, amount, keccak256(abi.encodePacked(memo)));
        return amount.toShares(rates[0]);
    }

    function total() public view returns (uint256 sum, uint256 count) {
        for (uint256 i = 0; i < holders.length; i++) {
            address holder = holders[i];
            if (holder == owner) continue;
            sum += balanceOf(holder) - FEE;
            unchecked {
                ++count;
            }
        }
        while (count > 100) {
            count >>= 1;
        }
        do {
            sum--;
        } while (sum % 10 != 0);
    }

    function balanceOf(address holder) public view virtual returns (uint256) {
        return positions[holder][0].amount > 0 ? positions[holder][0].amount : 1 ether / 2;
    }

    function sweep(address payable to) external onlyOwner {
        (bool sent, ) = to.call{value: address(this).balance, gas: 5000}("");
        require(sent, "send failed");
        try IOracle(to).price(address(token)) returns (uint256 value) {
            rates[1] = value;
        } catch Error(string memory reason) {
            revert(reason);
        } catch {
            state = State.Closed;
        }
    }

    function low(bytes memory data) internal pure returns (bytes32 result) {
        assembly {
            let size := mload(data)
            if gt(size, 31) {
                result := mload(add(data, 32))
            }
        }
    }

    function _pause() internal override {
        paused = !paused;
        uint8[] memory list = new uint8[](4);
        list[0] = ~uint8(2) & 0xff;
        string memory text = unicode"x";
        (uint256 a, uint256 b) = total();
        a = b ** 2;
    }
}
